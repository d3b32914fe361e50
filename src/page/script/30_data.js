// The data of the page: the report, the net, and traces that can be played.

const data = JSON.parse (document.getElementById ('data').textContent);
const report = data.report;

// ---- Names -----------------------------------------------------------------

const nodeName = node => node.name || node.id;

// The name instead of the id at the beginning of a text: of a token with its
// colour, of a step with its binding.
function nameIn (node, text) {
  return node && node.name && text.startsWith (node.id)
    ? node.name + text.slice (node.id.length) : text;
}

// ---- What can be marked ----------------------------------------------------

// Tokens of one kind: of a net without colours those of a place, else those of
// one colour on it.  `place` is a number, or -1 where the net is not known.
class Kinds {
  constructor () {
    this.number = new Map ();
    this.label = [];
    this.place = [];
    if (data.net && !report.net.coloured)
      data.net.places.forEach ((p, i) => this.add (p.id, i));
    const place = Object.entries (data.tokens);
    place.sort ((a, b) => a[1] - b[1]);
    for (const [id, p] of place)
      this.add (id, p);
  }

  add (id, place) {
    const node = data.net ? data.net.places[place] : null;
    this.number.set (id, this.label.length);
    this.label.push (nameIn (node, id));
    this.place.push (node ? place : -1);
    return this.label.length - 1;
  }

  find (id) {
    const i = this.number.get (id);
    return i === undefined ? this.add (id, -1) : i;
  }

  get count () {
    return this.label.length;
  }
}

const kinds = new Kinds ();

// ---- Traces ----------------------------------------------------------------

// A run with its markings: tokens of each kind at the beginning, then what each
// step makes of some of them.  The changes of step i, counted from 1, are those
// from start[i - 1] to start[i].
class Trace {
  constructor (title, found, fired) {
    this.title = title;
    this.step = found.transitions;
    this.fired = fired;
    this.length = this.step.length;
    this.loops = found.kind === 'lasso';
    this.loopFrom = this.loops ? found.loop_from : 0;
    this.readMarkings (found.markings || [data.initial]);
    this.closes = this.loops && this.comesBack ();
  }

  readMarkings (markings) {
    const changes = [];
    this.played = markings.length - 1;
    this.start = new Uint32Array (this.played + 1);
    for (const [id, tokens] of Object.entries (markings[0]))
      changes.push ([kinds.find (id), tokens]);
    for (let i = 1; i <= this.played; i++)
      for (const id of Object.keys (markings[i]))
        kinds.find (id);
    this.initial = new Float64Array (kinds.count);
    for (const [kind, tokens] of changes)
      this.initial[kind] = tokens;
    this.readChanges (markings);
  }

  readChanges (markings) {
    const marking = this.initial.slice (), kind = [], before = [], after = [];
    for (let i = 1; i <= this.played; i++) {
      for (const [id, tokens] of Object.entries (markings[i])) {
        const k = kinds.find (id);
        kind.push (k);
        before.push (marking[k]);
        after.push (tokens);
        marking[k] = tokens;
      }
      this.start[i] = kind.length;
    }
    this.kind = Int32Array.from (kind);
    this.before = Float64Array.from (before);
    this.after = Float64Array.from (after);
  }

  // Is the marking at the end that where the loop begins?  Of a net without
  // bound there are more tokens.
  comesBack () {
    const at = new Map ();
    for (let c = this.start[this.loopFrom]; c < this.kind.length; c++)
      at.set (this.kind[c], [(at.get (this.kind[c]) || [this.before[c]])[0],
                             this.after[c]]);
    return this.played === this.length &&
           [...at.values ()].every (([first, last]) => first === last);
  }

  stepName (i) {
    const node = data.net ? data.net.transitions[this.fired[i - 1]] : null;
    return nameIn (node, this.step[i - 1]);
  }
}

// A trace that is being looked at: where it stands, and the marking there.
class Playing {
  constructor (trace) {
    this.trace = trace;
    this.at = 0;
    this.marking = trace.initial.slice ();
    this.onPlace = new Float64Array (data.net ? data.net.places.length : 0);
    this.marking.forEach ((tokens, kind) => this.put (kind, tokens, 0));
  }

  put (kind, tokens, before) {
    const place = kinds.place[kind];
    this.marking[kind] = tokens;
    if (place >= 0)
      this.onPlace[place] += tokens - before;
  }

  go (step) {
    const t = this.trace;
    step = Math.max (0, Math.min (step, t.played));
    for (; this.at < step; this.at++)
      for (let c = t.start[this.at]; c < t.start[this.at + 1]; c++)
        this.put (t.kind[c], t.after[c], t.before[c]);
    for (; this.at > step; this.at--)
      for (let c = t.start[this.at] - 1; c >= t.start[this.at - 1]; c--)
        this.put (t.kind[c], t.before[c], t.after[c]);
  }

  // What the last step changed, as [kind, before, after].
  changes () {
    const t = this.trace, list = [];
    for (let c = this.at ? t.start[this.at - 1] : 0; c < t.start[this.at]; c++)
      list.push ([t.kind[c], t.before[c], t.after[c]]);
    return list;
  }

  fired () {
    return this.at ? this.trace.fired[this.at - 1] : -1;
  }
}

// The trace of the data that has this key in the report; null: there is none.
function findTrace (key, number, found, title) {
  const t = found && data.traces.find (x => x.key === key && x.number === number);
  return t ? new Trace (title, found, t.fired) : null;
}

function noTrace () {
  return new Trace ('the initial marking', {kind: 'path', transitions: []}, []);
}
