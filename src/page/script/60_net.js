// The net as a picture: all of it if it is small, else the part around the step
// that is shown, or around a node that was looked for.

const WHOLE_NODES = 260, WHOLE_ARCS = 900; // laid out by the page itself
const PART_NODES = 70;
const PLACE = 36, TRANSITION = 26;
const NAME_SHOWN = 18; // characters

// Arcs as [from, to, weight, kind], and those of each node by its key.
class Arcs {
  constructor (net) {
    this.list = [];
    this.at = new Map ();
    this.take (net.inputs, 'input');
    this.take (net.outputs, 'output');
    this.take (net.inhibitors, 'inhibitor');
  }

  take (arcs, kind) {
    for (const [p, t, weight = 1] of arcs) {
      const place = 'p' + p, transition = 't' + t;
      const ends = kind === 'output' ? [transition, place] : [place, transition];
      for (const end of ends)
        this.at.set (end, this.at.get (end) || []);
      ends.forEach (end => this.at.get (end).push (this.list.length));
      this.list.push ([...ends, weight, kind]);
    }
  }

  near (key) {
    return (this.at.get (key) || []).map (i => {
      const [from, to] = this.list[i];
      return from === key ? to : from;
    });
  }
}

class NetView {
  constructor () {
    const net = data.net;
    this.net = net;
    this.arcs = new Arcs (net);
    this.nodes = net.places.length + net.transitions.length;
    this.whole = Boolean (data.net_layout) ||
      (this.nodes <= WHOLE_NODES && this.arcs.list.length <= WHOLE_ARCS);
    this.drawing = new Drawing ('The net with its marking');
    this.drawn = new Map (); // key: what is drawn of it
    this.lines = [];
    this.note = make ('p', {class: 'note'});
    this.box = make ('div', {class: 'net'}, this.drawing.box, this.search (),
                     this.note);
    if (this.whole)
      this.show (this.allKeys ());
  }

  node (key) {
    const number = Number (key.slice (1));
    return key[0] === 'p' ? this.net.places[number]
                          : this.net.transitions[number];
  }

  allKeys () {
    return [...this.net.places.keys ()].map (i => 'p' + i).concat (
      [...this.net.transitions.keys ()].map (i => 't' + i));
  }

  // ---- Which part ----------------------------------------------------------

  // Grows from some keys until it is large enough.
  grow (seeds) {
    const part = new Set (seeds), queue = [...part];
    for (const key of queue)
      for (const next of this.arcs.near (key)) {
        if (part.size >= PART_NODES)
          return part;
        if (!part.has (next)) {
          part.add (next);
          queue.push (next);
        }
      }
    return part;
  }

  // The steps before and after this one with their places.
  around (playing) {
    const {trace, at} = playing, part = new Set ();
    const add = i => {
      const key = 't' + trace.fired[i - 1];
      if (part.has (key) || part.size >= PART_NODES)
        return;
      part.add (key);
      const near = this.arcs.near (key);
      near.slice (0, PART_NODES / 2).forEach (p => part.add (p));
    };
    for (let far = 0; far < 200 && part.size < PART_NODES; far++) {
      if (at + far >= 1 && at + far <= trace.length)
        add (at + far);
      if (far && at - far >= 1)
        add (at - far);
    }
    if (part.size)
      return part;
    const marked = playing.onPlace.findIndex (tokens => tokens > 0);
    return this.grow (['p' + Math.max (0, marked)].filter (
      () => this.net.places.length));
  }

  // ---- Drawing -------------------------------------------------------------

  show (keys) {
    const part = new Set (keys), list = [...part];
    const arcs = this.arcs.list.filter (
      ([from, to]) => part.has (from) && part.has (to));
    const layout = this.whole && data.net_layout
      ? readPlain (data.net_layout, arcs)
      : layOut (list.map (key => this.measure (key)), arcs);
    this.drawn.clear ();
    this.lines = arcs.map (() => null);
    this.arcsDrawn = arcs;
    if (list.length)
      this.drawing.show (layout, list, (key, box) => this.shape (key, box),
                         (i, points) => this.line (i, points));
    this.note.textContent = this.whole ? '' :
      'A part of the net: ' + figure (list.length) + ' of ' +
      several (this.nodes, 'node') + '. It follows the steps; look for others ' +
      'by name.';
  }

  measure (key) {
    const length = Math.min (nodeName (this.node (key)).length, NAME_SHOWN);
    if (key[0] === 'p')
      return {key, w: PLACE, h: PLACE, beside: 6 * length};
    return {key, w: 18 + 6.8 * length, h: TRANSITION};
  }

  shape (key, box) {
    const node = this.node (key), place = key[0] === 'p';
    const name = shown (nodeName (node), NAME_SHOWN);
    const mark = place ? draw ('g', {class: 'tokens'}) : null;
    const body = place
      ? draw ('circle', {class: 'body', r: box.w / 2})
      : draw ('rect', {class: 'body', x: -box.w / 2, y: -box.h / 2, width: box.w,
                       height: box.h, rx: 3});
    const group = draw (
      'g', {class: place ? 'place' : 'transition',
            transform: `translate(${box.x.toFixed (1)} ${box.y.toFixed (1)})`},
      draw ('title', {}, shown (nodeName (node))), body, mark,
      draw ('text', place ? {class: 'label', x: box.w / 2 - 3, y: box.h / 2 + 8}
                          : {class: 'label', y: 4}, name));
    this.drawn.set (key, {group, mark, tokens: -1});
    return group;
  }

  line (i, points) {
    const [, , weight, kind] = this.arcsDrawn[i];
    const stroke = draw ('path', {class: 'arc ' + kind, d: path (points)});
    this.lines[i] = stroke;
    this.point (i, false);
    if (weight < 2 || points.length < 4)
      return stroke;
    const middle = points[Math.floor (points.length / 2)];
    return draw ('g', {}, stroke, draw (
      'text', {class: 'weight', x: middle[0] + 6, y: middle[1] - 2},
      figure (weight)));
  }

  point (i, now) {
    const end = this.arcsDrawn[i][3] === 'inhibitor' ? 'not' : now ? 'now' : '';
    this.lines[i].setAttribute (
      'marker-end', `url(#${this.drawing.arrow}${end})`);
    this.lines[i].classList.toggle ('now', now);
  }

  // ---- Tokens --------------------------------------------------------------

  update (playing) {
    const now = playing.at ? 't' + playing.fired () : null;
    const away = now && !this.drawn.has (now) && this.foundAt !== playing.at;
    if (!this.whole && (!this.drawn.size || away))
      this.show (this.around (playing));
    const changed = new Set (playing.changes ().map (
      ([kind]) => 'p' + kinds.place[kind]));
    for (const [key, drawn] of this.drawn) {
      drawn.group.classList.toggle ('now', key === now);
      if (key[0] !== 'p')
        continue;
      drawn.group.classList.toggle ('changed', changed.has (key));
      this.putTokens (drawn, playing.onPlace[Number (key.slice (1))]);
    }
    this.arcsDrawn.forEach (([from, to], i) => {
      const at = from === now || to === now;
      if (at !== this.lines[i].classList.contains ('now'))
        this.point (i, at);
    });
    this.drawing.follow (now ? [now, ...this.arcs.near (now)] : []);
  }

  putTokens (drawn, tokens) {
    if (drawn.tokens === tokens)
      return;
    drawn.tokens = tokens;
    drawn.group.classList.toggle ('marked', tokens > 0);
    drawn.mark.replaceChildren (...(tokens > 4 ? [draw (
      'text', {class: 'many', y: 5}, tokens > 99999 ? tokens.toExponential (1)
                                                    : String (tokens))]
      : DOTS[tokens].map (([cx, cy]) => draw ('circle', {cx, cy, r: 4.5}))));
  }

  // ---- Search --------------------------------------------------------------

  search () {
    const found = make ('div', {class: 'found', role: 'group',
                                'aria-label': 'Nodes found'});
    const field = make ('input', {
      type: 'search', placeholder: 'Find a place or transition', spellcheck: false,
      'aria-label': 'Find a place or transition by name',
      oninput: () => this.list (field.value, found)});
    return make ('div', {class: 'search noprint'}, field, found);
  }

  list (text, found) {
    const words = text.trim ().toLowerCase (), hits = [];
    const look = (nodes, letter) => nodes.forEach ((node, i) => {
      if (hits.length < 12 && (node.id.toLowerCase ().includes (words) ||
                               nodeName (node).toLowerCase ().includes (words)))
        hits.push (letter + i);
    });
    if (words) {
      look (this.net.places, 'p');
      look (this.net.transitions, 't');
    }
    found.replaceChildren (...hits.map (key => button (
      shown (nodeName (this.node (key)), 40),
      'Show ' + (key[0] === 'p' ? 'place ' : 'transition ') +
        shown (nodeName (this.node (key)), 40),
      () => this.find (key), {class: key[0] === 'p' ? 'hit place' : 'hit'})));
    if (words && !hits.length)
      found.append (make ('span', {class: 'note'}, 'There is none of that name.'));
  }

  find (key) {
    this.foundAt = this.current ().at; // until there is another step
    if (!this.drawn.has (key)) {
      this.show (this.grow ([key]));
      this.update (this.current ());
    }
    this.drawing.centre (key);
    for (const [other, {group}] of this.drawn)
      group.classList.toggle ('sought', other === key);
  }
}

// Where up to four tokens lie in a place.
const DOTS = [[], [[0, 0]], [[-6, 0], [6, 0]], [[-6, 4], [6, 4], [0, -6]],
              [[-6, -6], [6, -6], [-6, 6], [6, 6]]];
