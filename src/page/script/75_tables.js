// The marking as a table with what the last step changed, and the steps as a
// list.

const ROW = 28;

class MarkingTable {
  constructor () {
    this.filter = '';
    this.which = 'marked';
    this.list = [];
    this.rows = new Rows ('Marking', ROW, (row, i) => this.write (row, i),
                          {role: 'table', id: 'marking'});
    this.count = make ('span', {class: 'muted count'});
    const field = make ('input', {
      type: 'search', placeholder: 'Filter', 'aria-label': 'Filter the marking',
      spellcheck: false,
      oninput: () => { this.filter = field.value.trim ().toLowerCase ();
                       this.update (this.playing); }});
    const which = make ('select', {
      'aria-label': 'Which places',
      onchange: () => { this.which = which.value; this.update (this.playing); }},
      make ('option', {value: 'marked'}, 'marked'),
      make ('option', {value: 'changed'}, 'changed'),
      make ('option', {value: 'all'}, 'all'));
    this.box = make ('div', {class: 'panel'},
                     make ('div', {class: 'head'}, make ('h3', {}, 'Marking'),
                           this.count,
                           make ('span', {class: 'tools noprint'}, which, field)),
                     this.rows.box);
  }

  update (playing) {
    const {marking} = playing, list = [];
    this.playing = playing;
    this.changed = new Map (playing.changes ().map (
      ([kind, before]) => [kind, before]));
    for (let k = 0; k < kinds.count; k++)
      if ((this.which === 'all' || this.changed.has (k) ||
           (this.which === 'marked' && marking[k])) &&
          (!this.filter || kinds.label[k].toLowerCase ().includes (this.filter)))
        list.push (k);
    this.list = list;
    this.count.textContent = figure (list.length);
    this.rows.show (list.length);
    const first = list.findIndex (k => this.changed.has (k));
    if (first >= 0)
      this.rows.reveal (first);
  }

  write (row, i) {
    const kind = this.list[i], tokens = this.playing.marking[kind] || 0;
    const before = this.changed.get (kind), changed = before !== undefined;
    const name = shown (kinds.label[kind]);
    row.classList.toggle ('changed', changed);
    row.append (
      make ('bdi', {role: 'cell', class: 'name', title: name}, name),
      make ('span', {role: 'cell', class: 'muted'},
            changed ? figure (before) + ' →' : ''),
      make ('span', {role: 'cell', class: 'tokens' + (tokens ? '' : ' none')},
            figure (tokens)));
  }
}

class StepList {
  constructor (chosen) {
    this.rows = new Rows ('Steps', ROW, (row, i) => this.write (row, i),
                          {role: 'list', id: 'steps'});
    this.chosen = chosen;
    this.count = make ('span', {class: 'muted count'});
    this.box = make ('div', {class: 'panel'},
                     make ('div', {class: 'head'}, make ('h3', {}, 'Steps'),
                           this.count), this.rows.box);
  }

  update (playing) {
    const steps = playing.trace.length;
    this.playing = playing;
    this.box.classList.toggle ('empty', !steps);
    this.count.textContent = figure (steps);
    this.rows.show (steps + 1);
    this.rows.reveal (playing.at);
  }

  write (row, i) {
    const {trace, at} = this.playing;
    const name = i ? shown (trace.stepName (i)) : 'the initial marking';
    const loop = trace.loops && i > trace.loopFrom;
    row.setAttribute ('role', 'listitem');
    row.classList.toggle ('now', i === at);
    row.classList.toggle ('looped', loop);
    row.append (button ('', 'Step ' + i + ': ' + name, () => this.chosen (i),
                        {'aria-current': i === at ? 'step' : null}));
    row.firstChild.append (make ('span', {class: 'muted number'}, figure (i)),
                           make ('bdi', {class: 'name'}, name),
                           make ('span', {class: 'muted'}, this.note (trace, i)));
  }

  note (trace, i) {
    return !trace.loops ? ''
      : i === trace.loopFrom ? '↰ loop'
      : i === trace.length ? '↲ again' : '';
  }
}
