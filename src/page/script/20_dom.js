// Elements, and lists of which only the rows that are seen are elements.

function fill (element, attributes, children) {
  for (const [name, value] of Object.entries (attributes || {}))
    if (name.startsWith ('on'))
      element.addEventListener (name.slice (2), value);
    else if (value === true)
      element.setAttribute (name, '');
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute (name, value);
  element.append (...children.filter (c => c !== null && c !== undefined));
  return element;
}

function make (tag, attributes, ...children) {
  return fill (document.createElement (tag), attributes, children);
}

function draw (tag, attributes, ...children) {
  return fill (document.createElementNS ('http://www.w3.org/2000/svg', tag),
               attributes, children);
}

function button (label, title, onclick, attributes) {
  return make ('button', {type: 'button', title, 'aria-label': title, onclick,
                          ...attributes}, label);
}

// Fonts lack these signs.
const ICONS = {
  first: 'M3 3h2v10H3zM13 3v10L6 8z', back: 'M11 3v10L4 8z',
  play: 'M4 2.5v11L13 8z', pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  next: 'M5 3v10l7-5z', last: 'M3 3v10l7-5zM11 3h2v10h-2z',
  larger: 'M7 3h2v4h4v2H9v4H7V9H3V7h4z', smaller: 'M3 7h10v2H3z',
  fit: 'M3 3h4v2H5v2H3zM9 3h4v4h-2V5H9zM3 9h2v2h2v2H3zM11 9h2v4H9v-2h2z'};

function icon (name) {
  return draw ('svg', {class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true'},
               draw ('path', {d: ICONS[name]}));
}

function section (title, ...children) {
  return make ('section', {}, make ('h2', {}, title), ...children);
}

// A list of many rows of equal height.  `write (element, i)` fills a row.
class Rows {
  constructor (label, height, write, attributes) {
    this.height = height;
    this.write = write;
    this.count = 0;
    this.first = this.end = 0;
    this.row = new Map ();
    this.inner = make ('div', {class: 'rows', role: 'presentation'});
    this.box = make ('div', {class: 'scroll', tabindex: 0, 'aria-label': label,
                             ...attributes}, this.inner);
    this.box.addEventListener ('scroll', () => this.update (false),
                               {passive: true});
    new ResizeObserver (() => this.update (false)).observe (this.box);
  }

  // How many rows there are now; all that are seen are written again.
  show (count) {
    if (count !== this.count) {
      this.count = count;
      this.box.setAttribute ('aria-rowcount', count);
      this.inner.style.height = count * this.height + 'px';
    }
    this.update (true);
  }

  update (again) {
    const top = this.box.scrollTop, seen = this.box.clientHeight;
    const first = Math.max (0, Math.floor (top / this.height) - 4);
    const end = Math.min (this.count,
                          Math.ceil ((top + seen) / this.height) + 4);
    for (const [i, element] of this.row)
      if (i < first || i >= end) {
        element.remove ();
        this.row.delete (i);
      }
    for (let i = first; i < end; i++)
      this.place (i, again);
  }

  place (i, again) {
    let element = this.row.get (i);
    if (element && !again)
      return;
    if (!element) {
      element = make ('div', {class: 'row', role: 'row', 'aria-rowindex': i + 1});
      element.style.top = i * this.height + 'px';
      this.row.set (i, element);
      this.inner.append (element);
    }
    element.replaceChildren ();
    element.className = 'row';
    this.write (element, i);
  }

  // Scrolls as little as makes row i seen.
  reveal (i) {
    const top = i * this.height, box = this.box;
    if (top < box.scrollTop)
      box.scrollTop = top;
    else if (top + this.height > box.scrollTop + box.clientHeight)
      box.scrollTop = top + this.height - box.clientHeight;
  }
}
