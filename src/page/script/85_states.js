// A small state graph as a picture: the initial state, dead states, and
// strongly connected components in colour.

// The component of each state, and which have an arc that leaves them.
function components (next) {
  const count = next.length, low = [], index = [], of = new Int32Array (count);
  const stack = [], open = new Uint8Array (count);
  let found = 0, time = 0;
  for (let root = 0; root < count; root++) {
    const work = index[root] === undefined ? [[root, 0]] : [];
    while (work.length) {
      const top = work[work.length - 1], [s, i] = top;
      if (!i) {
        low[s] = index[s] = time++;
        stack.push (s);
        open[s] = 1;
      }
      if (i < next[s].length) {
        const to = next[s][i];
        top[1]++;
        if (index[to] === undefined)
          work.push ([to, 0]);
        else if (open[to])
          low[s] = Math.min (low[s], index[to]);
        continue;
      }
      work.pop ();
      if (work.length) {
        const under = work[work.length - 1][0];
        low[under] = Math.min (low[under], low[s]);
      }
      if (low[s] === index[s]) {
        let member;
        do {
          member = stack.pop ();
          open[member] = 0;
          of[member] = found;
        } while (member !== s);
        found++;
      }
    }
  }
  return of;
}

class StateGraph {
  constructor (states) {
    this.states = states;
    this.arcs = states.flatMap ((s, i) => s.successors.map (
      x => ['s' + i, 's' + x.state, x.transition]));
    this.next = states.map (s => s.successors.map (x => x.state));
    this.of = components (this.next);
    this.findTerminal ();
    this.drawing = new Drawing ('The state graph');
    this.detail = make ('div', {class: 'panel detail', 'aria-live': 'polite'});
    this.box = section (
      'State graph', this.legend (),
      make ('div', {class: 'stage'}, this.drawing.box, this.detail));
    this.show ();
  }

  // Colours are for components of several states, in the order of their first.
  findTerminal () {
    const size = new Map (), leaves = new Set ();
    this.colour = new Map ();
    this.of.forEach (c => size.set (c, (size.get (c) || 0) + 1));
    this.next.forEach ((list, s) => list.forEach (to => {
      if (this.of[to] !== this.of[s])
        leaves.add (this.of[s]);
    }));
    this.of.forEach (c => {
      if (size.get (c) > 1 && !this.colour.has (c))
        this.colour.set (c, this.colour.size % 6);
    });
    this.components = size.size;
    this.terminal = [...size.keys ()].filter (c => !leaves.has (c));
  }

  kind (s) {
    const c = this.of[s];
    return 'state' + (s === 0 ? ' initial' : '') +
           (this.next[s].length ? '' : ' dead') +
           (this.colour.has (c) ? ' c' + this.colour.get (c) : '') +
           (this.terminal.includes (c) ? ' terminal' : '');
  }

  legend () {
    const dead = this.next.filter (list => !list.length).length;
    const entry = (kind, text) => make ('span', {class: 'entry'}, make (
      'span', {class: 'swatch ' + kind, 'aria-hidden': 'true'}), text);
    return make (
      'p', {class: 'legend'}, entry ('initial', 'initial state'),
      dead ? entry ('dead', several (dead, 'dead state')) : null,
      this.colour.size ? entry ('c0', several (this.colour.size, 'component') +
        ' of several states' + (this.colour.size > 1 ? ', a colour each' : ''))
        : null,
      entry ('terminal', several (this.terminal.length, 'component') +
             ' that cannot be left'));
  }

  show () {
    const keys = this.states.map ((s, i) => 's' + i);
    const layout = data.graph_layout
      ? readPlain (data.graph_layout, this.arcs)
      : layOut (keys.map (key => ({key, w: 32, h: 32})), this.arcs);
    this.shapes = [];
    this.drawing.show (layout, keys, (key, box) => this.shape (key, box),
                       (i, points) => this.line (i, points));
  }

  shape (key, box) {
    const s = Number (key.slice (1)), choose = () => this.choose (s);
    const group = draw (
      'g', {class: this.kind (s), tabindex: 0, role: 'button',
            'aria-label': 'State ' + s, onclick: choose,
            onkeydown: event => {
              if (event.key === 'Enter' || event.key === ' ') {
                event.preventDefault ();
                choose ();
              }
            },
            transform: `translate(${box.x.toFixed (1)} ${box.y.toFixed (1)})`},
      draw ('circle', {class: 'body', r: 15}),
      draw ('text', {class: 'many', y: 4}, String (s)));
    this.shapes[s] = group;
    return group;
  }

  line (i, points) {
    return draw ('path', {class: 'arc', d: path (points),
                          'marker-end': `url(#${this.drawing.arrow})`},
                 draw ('title', {}, shown (this.arcs[i][2])));
  }

  choose (s) {
    const state = this.states[s];
    this.shapes.forEach ((group, i) => group.classList.toggle ('sought', i === s));
    this.drawing.follow (['s' + s]);
    const marked = Object.entries (state.marking);
    this.detail.replaceChildren (
      make ('div', {class: 'head'}, make ('h3', {}, 'State ' + s),
            make ('span', {class: 'muted count'}, s ? several (state.steps, 'step')
              + ' from the initial state' : 'the initial state')),
      make ('p', {class: 'marking'}, ...marked.slice (0, 60).map (
        ([id, tokens]) => make ('span', {class: 'change'},
          make ('bdi', {}, shown (id, 40)),
          tokens > 1 ? ' × ' + figure (tokens) : '')),
        marked.length > 60 ? 'and ' + figure (marked.length - 60) + ' more' : ''),
      state.successors.length ? make ('ul', {class: 'successors'},
        ...state.successors.map (x => make ('li', {}, button (
          shown (x.transition, 60) + ' → ' + x.state, 'Go to state ' + x.state,
          () => this.choose (x.state)))))
        : make ('p', {class: 'muted'}, 'Nothing is enabled: a dead state.'));
  }
}
