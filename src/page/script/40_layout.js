// Where nodes and edges stand.  A layout has a size, boxes of nodes by their
// keys ({x, y, w, h}, the centre and the size), and edges in the order in which
// they were given, each as points of cubic curves.

const INCH = 72;

// What `dot -Tplain` says.  The edges are put into the order given.
function readPlain (text, edges) {
  const layout = {width: 0, height: 0, node: new Map (), edge: []};
  const found = new Map ();
  for (const line of text.split ('\n')) {
    const word = line.split (' '), n = word.map (Number);
    const y = i => layout.height - n[i] * INCH;
    if (word[0] === 'graph')
      Object.assign (layout, {width: n[2] * INCH, height: n[3] * INCH});
    else if (word[0] === 'node')
      layout.node.set (word[1], {x: n[2] * INCH, y: y (3), w: n[4] * INCH,
                                 h: n[5] * INCH});
    else if (word[0] === 'edge') {
      const key = word[1] + ' ' + word[2], points = [];
      for (let i = 0; i < n[3]; i++)
        points.push ([n[4 + 2 * i] * INCH, y (5 + 2 * i)]);
      found.set (key, [...(found.get (key) || []), points]);
    }
  }
  layout.edge = edges.map (([from, to]) =>
    (found.get (from + ' ' + to) || []).shift () || []);
  return layout;
}

// ---- A simple layout in layers ---------------------------------------------

const LAYER_GAP = 40, NODE_GAP = 30, PART_GAP = 60;

// Turns edges around so that there is no cycle: those that lead back on the way
// of a depth-first walk.
function withoutCycles (count, edges) {
  const out = Array.from ({length: count}, () => []);
  const state = new Uint8Array (count), incoming = new Uint32Array (count);
  edges.forEach (([a, b], e) => {
    out[a].push (e);
    incoming[b]++;
  });
  const order = [...Array (count).keys ()]
    .sort ((a, b) => (incoming[a] > 0) - (incoming[b] > 0) || a - b);
  const forward = edges.map (([a, b]) => [a, b]);
  for (const root of order) {
    const stack = state[root] ? [] : [[root, 0]];
    while (stack.length) {
      const top = stack[stack.length - 1], [node, i] = top;
      state[node] = 1;
      if (i === out[node].length) {
        state[node] = 2;
        stack.pop ();
        continue;
      }
      top[1]++;
      const e = out[node][i], to = edges[e][1];
      if (state[to] === 1)
        forward[e] = [to, node];
      else if (!state[to])
        stack.push ([to, 0]);
    }
  }
  return forward;
}

// The longest way from a node without a predecessor.
function layersOf (count, forward) {
  const out = Array.from ({length: count}, () => []);
  const layer = new Uint32Array (count), open = new Uint32Array (count);
  for (const [a, b] of forward)
    if (a !== b) {
      out[a].push (b);
      open[b]++;
    }
  const ready = [...Array (count).keys ()].filter (n => !open[n]);
  for (const a of ready)
    for (const b of out[a]) {
      layer[b] = Math.max (layer[b], layer[a] + 1);
      if (!--open[b])
        ready.push (b);
    }
  return layer;
}

// Rows of nodes; edges over several layers go through points of their own.
function makeRows (boxes, forward, layer) {
  const rows = [], cells = boxes.map ((box, i) =>
    ({w: box.w, h: box.h, beside: box.beside || 0, x: 0, y: 0, up: [], down: [],
      layer: layer[i]}));
  const ways = forward.map (([a, b]) => {
    const way = [cells[a]];
    for (let l = layer[a] + 1; l < layer[b]; l++)
      way.push ({w: 10, h: 0, beside: 0, x: 0, y: 0, up: [], down: [], layer: l});
    way.push (cells[b]);
    for (let i = 1; a !== b && i < way.length; i++) {
      way[i - 1].down.push (way[i]);
      way[i].up.push (way[i - 1]);
    }
    return way;
  });
  const put = cell => (rows[cell.layer] = rows[cell.layer] || []).push (cell);
  cells.forEach (put);
  ways.forEach (way => way.slice (1, -1).forEach (put));
  return {rows, cells, ways};
}

// Few crossings: nodes stand near the middle of those that they are joined to.
function orderRows (rows) {
  const mean = (cells, otherwise) => cells.length
    ? cells.reduce ((sum, c) => sum + c.place, 0) / cells.length : otherwise;
  const number = row => row.forEach ((c, i) => { c.place = i; });
  rows.forEach (number);
  for (let pass = 0; pass < 10; pass++) {
    const down = pass % 2 === 0;
    for (const row of down ? rows : [...rows].reverse ()) {
      row.forEach (c => { c.want = mean (down ? c.up : c.down, c.place); });
      row.sort ((a, b) => a.want - b.want || a.place - b.place);
      number (row);
    }
  }
}

// Each as near as possible to those it is joined to, without touching others.
function placeRows (rows) {
  const gap = (a, b) => (a.w + b.w) / 2 + Math.max (NODE_GAP, a.beside);
  for (const row of rows)
    row.forEach ((c, i) => { c.x = i ? row[i - 1].x + gap (row[i - 1], c) : 0; });
  for (let pass = 0; pass < 12; pass++)
    for (const row of pass % 2 ? [...rows].reverse () : rows) {
      const want = row.map (c => {
        const near = pass % 2 ? c.down : c.up;
        return near.length ? near.reduce ((s, n) => s + n.x, 0) / near.length
                           : c.x;
      });
      const left = [], right = [];
      row.forEach ((c, i) => {
        left[i] = i ? Math.max (want[i], left[i - 1] + gap (row[i - 1], c))
                    : want[i];
      });
      for (let i = row.length - 1; i >= 0; i--)
        right[i] = i + 1 < row.length
          ? Math.min (want[i], right[i + 1] - gap (row[i], row[i + 1])) : want[i];
      row.forEach ((c, i) => { c.x = (left[i] + right[i]) / 2; });
      row.forEach ((c, i) => {
        if (i)
          c.x = Math.max (c.x, row[i - 1].x + gap (row[i - 1], c));
      });
    }
  let y = 0;
  for (const row of rows) {
    const height = Math.max (...row.map (c => c.h));
    row.forEach (c => { c.y = y + height / 2; });
    y += height + LAYER_GAP;
  }
}

// Curves from the lower side of each node to the upper side of the next.
function curve (way, turned) {
  const points = [];
  for (let i = 1; i < way.length; i++) {
    const a = way[i - 1], b = way[i], top = a.y + a.h / 2, low = b.y - b.h / 2;
    const bend = (low - top) / 2;
    if (!points.length)
      points.push ([a.x, top]);
    points.push ([a.x, top + bend], [b.x, low - bend], [b.x, low]);
  }
  return turned ? points.reverse () : points;
}

function selfLoop ({x, y, w, h}) {
  const side = x + w / 2;
  return [[side - 2, y - h / 4], [side + 26, y - h / 2], [side + 26, y + h / 2],
          [side - 2, y + h / 4]];
}

// All boxes are joined by edges.
function layOutJoined (boxes, pairs) {
  const forward = withoutCycles (boxes.length, pairs);
  const {rows, cells, ways} =
    makeRows (boxes, forward, layersOf (boxes.length, forward));
  orderRows (rows);
  placeRows (rows);
  const all = rows.flat (), left = Math.min (...all.map (c => c.x - c.w / 2));
  all.forEach (c => { c.x -= left; });
  return {
    width: Math.max (...all.map (c => c.x + c.w / 2 + c.beside)),
    height: Math.max (...all.map (c => c.y + c.h / 2)), cells,
    edge: pairs.map (([a, b], e) => a === b
      ? selfLoop (cells[a]) : curve (ways[e], forward[e][0] !== a))
  };
}

// Which boxes are joined: a number for each.
function joined (count, pairs) {
  const to = [...Array (count).keys ()];
  const find = i => {
    while (to[i] !== i)
      i = to[i] = to[to[i]];
    return i;
  };
  for (const [a, b] of pairs)
    to[find (a)] = find (b);
  return to.map ((_, i) => find (i));
}

// Parts that are not joined stand in lines, as words on a page.
function arrange (parts) {
  const area = parts.reduce ((sum, p) => sum + (p.width + PART_GAP) *
                                         (p.height + PART_GAP), 0);
  const most = Math.max (1.2 * Math.sqrt (area), ...parts.map (p => p.width));
  let x = 0, y = 0, line = 0, width = 0;
  for (const part of parts) {
    if (x && x + part.width > most) {
      x = 0;
      y += line + PART_GAP;
      line = 0;
    }
    part.cells.forEach (c => { c.x += x; c.y += y; });
    part.edge = part.edge.map (points => points.map (p => [p[0] + x, p[1] + y]));
    x += part.width + PART_GAP;
    width = Math.max (width, x - PART_GAP);
    line = Math.max (line, part.height);
  }
  return {width, height: y + line};
}

// `boxes`: [{key, w, h}] and perhaps what room a name takes `beside`; `edges`:
// pairs of keys.
function layOut (boxes, edges) {
  const number = new Map (boxes.map ((box, i) => [box.key, i]));
  const pairs = edges.map (([a, b]) => [number.get (a), number.get (b)]);
  const of = joined (boxes.length, pairs), members = new Map ();
  const inside = [];
  of.forEach ((part, i) => {
    members.set (part, members.get (part) || {boxes: [], edges: []});
    inside[i] = members.get (part).boxes.push (i) - 1;
  });
  pairs.forEach (([a], e) => members.get (of[a]).edges.push (e));
  const parts = [...members.values ()].map (m => ({...m, ...layOutJoined (
    m.boxes.map (i => boxes[i]),
    m.edges.map (e => pairs[e].map (i => inside[i])))}));
  const layout = {...arrange (parts), node: new Map (), edge: []};
  for (const part of parts) {
    part.boxes.forEach ((i, k) => layout.node.set (boxes[i].key, part.cells[k]));
    part.edges.forEach ((e, k) => { layout.edge[e] = part.edge[k]; });
  }
  return layout;
}
