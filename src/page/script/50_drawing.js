// A picture with nodes and arrows that can be moved and made larger.

function path (points) {
  const at = p => p[0].toFixed (1) + ' ' + p[1].toFixed (1);
  return points.length < 4 ? '' : 'M' + at (points[0]) + 'C' +
    points.slice (1).map (at).join (' ');
}

const MARGIN = 30, LABEL = 10;
const SMALLEST = 1.35; // units to a pixel; with more names cannot be read

let markers = 0;

class Drawing {
  constructor (label) {
    this.arrow = 'arrow' + markers++;
    this.layer = draw ('g', {});
    this.svg = draw ('svg', {class: 'drawing', role: 'img', 'aria-label': label,
                             preserveAspectRatio: 'xMidYMid meet'},
                     this.defs (), this.layer);
    this.box = make ('div', {class: 'canvas'}, this.svg, make (
      'div', {class: 'zoom noprint'},
      button (icon ('larger'), 'Larger', () => this.zoom (0.8)),
      button (icon ('smaller'), 'Smaller', () => this.zoom (1.25)),
      button (icon ('fit'), 'Fit all', () => this.fit ())));
    this.listen ();
  }

  defs () {
    const marker = (id, shape) => draw (
      'marker', {id: this.arrow + id, viewBox: '0 0 10 10', refX: 9.5, refY: 5,
                 markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse',
                 orient: 'auto'}, shape);
    return draw ('defs', {},
      marker ('', draw ('path', {class: 'tip', d: 'M0 1L10 5L0 9Z'})),
      marker ('now', draw ('path', {class: 'tip now', d: 'M0 1L10 5L0 9Z'})),
      marker ('not', draw ('circle', {class: 'tip not', cx: 5, cy: 5, r: 4})));
  }

  // `shape (key, box)` and `line (i, points)` give elements.
  show (layout, keys, shape, line) {
    this.layout = layout;
    const lines = layout.edge.map ((points, i) => line (i, points));
    const shapes = keys.map (key => shape (key, layout.node.get (key)));
    this.layer.replaceChildren (...lines, ...shapes);
    this.fit ();
    this.fresh = true;
  }

  fit () {
    // Few nodes need not fill the page.
    const w = Math.max (this.layout.width + 2 * MARGIN, 560);
    const h = Math.max (this.layout.height + 2 * MARGIN + LABEL, 480);
    this.view = {x: (this.layout.width - w) / 2,
                 y: (this.layout.height + LABEL - h) / 2, w, h};
    this.look ();
  }

  // Units of the picture to a pixel.
  scale () {
    const {width, height} = this.svg.getBoundingClientRect ();
    return width ? Math.max (this.view.w / width, this.view.h / height) : 1;
  }

  // What is too large to be read is shown in part, as far as it is needed: the
  // beginning, then always the nodes that something happens at, the first of
  // them above all.
  follow (keys) {
    const {width, height} = this.svg.getBoundingClientRect ();
    if (this.fresh && this.scale () > SMALLEST) {
      const w = width * SMALLEST, h = height * SMALLEST;
      const spare = w - this.layout.width - 2 * MARGIN;
      this.view = {x: -MARGIN - Math.max (0, spare / 2), y: -MARGIN, w, h};
      this.look ();
    }
    this.fresh = false;
    const boxes = keys.map (key => this.layout.node.get (key)).filter (x => x);
    if (boxes.length && !boxes.every (box => this.sees (box)))
      this.turnTo (boxes);
  }

  sees ({x, y}) {
    const v = this.view, edge = MARGIN;
    return x >= v.x + edge && x <= v.x + v.w - edge &&
           y >= v.y + edge && y <= v.y + v.h - edge;
  }

  turnTo (boxes) {
    const v = this.view;
    const middle = (list, room, first) => {
      const low = Math.min (...list), high = Math.max (...list);
      return (high - low > room - 2 * MARGIN ? first : (low + high) / 2) - room / 2;
    };
    this.view = {...v, x: middle (boxes.map (b => b.x), v.w, boxes[0].x),
                 y: middle (boxes.map (b => b.y), v.h, boxes[0].y)};
    if (!this.sees (boxes[0]))
      this.view = {...v, x: boxes[0].x - v.w / 2, y: boxes[0].y - v.h / 2};
    // Beyond the picture there is nothing to be seen.
    const within = (at, room, all) => room > all + 2 * MARGIN ? (all - room) / 2
      : Math.max (-MARGIN, Math.min (at, all + MARGIN - room));
    this.view.x = within (this.view.x, v.w, this.layout.width);
    this.view.y = within (this.view.y, v.h, this.layout.height + LABEL);
    this.look ();
  }

  look () {
    const {x, y, w, h} = this.view;
    this.svg.setAttribute ('viewBox', [x, y, w, h].map (
      n => n.toFixed (1)).join (' '));
  }

  zoom (factor, at) {
    const v = this.view, x = at ? at.x : v.x + v.w / 2;
    const y = at ? at.y : v.y + v.h / 2;
    this.view = {x: x + (v.x - x) * factor, y: y + (v.y - y) * factor,
                 w: v.w * factor, h: v.h * factor};
    this.look ();
  }

  centre (key) {
    const box = this.layout.node.get (key), v = this.view;
    const w = Math.min (v.w, 640), h = v.h * w / v.w;
    this.fresh = false;
    this.view = {x: box.x - w / 2, y: box.y - h / 2, w, h};
    this.look ();
  }

  // Where a pointer is, in the picture.
  point (event) {
    const m = this.svg.getScreenCTM ().inverse ();
    return new DOMPoint (event.clientX, event.clientY).matrixTransform (m);
  }

  listen () {
    let from = null;
    this.svg.addEventListener ('pointerdown', event => {
      from = event.target.closest ('[tabindex]') ? null : this.point (event);
      if (from)
        this.svg.setPointerCapture (event.pointerId);
    });
    this.svg.addEventListener ('pointermove', event => {
      if (!from)
        return;
      const to = this.point (event);
      this.view.x += from.x - to.x;
      this.view.y += from.y - to.y;
      this.look ();
    });
    for (const end of ['pointerup', 'pointercancel'])
      this.svg.addEventListener (end, () => { from = null; });
    this.svg.addEventListener ('wheel', event => {
      if (!event.ctrlKey && !event.metaKey)
        return; // the page scrolls
      event.preventDefault ();
      this.zoom (Math.exp (event.deltaY / 300), this.point (event));
    }, {passive: false});
  }
}
