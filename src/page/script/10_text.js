// Texts to be shown.  Names of a model may contain anything: they are cut, and
// characters that are not seen, or that turn the direction of writing, are
// written as numbers.  They reach the page as text nodes only.

const LONGEST = 120;

const UNSEEN = new RegExp (
  '[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]', 'g');

function shown (text, most = LONGEST) {
  const some = Array.from (text.slice (0, 2 * most + 2));
  const cut = some.length > most ? some.slice (0, most - 1).join ('') + '…'
                                 : text;
  return cut.replace (UNSEEN, c =>
    '\\u' + c.charCodeAt (0).toString (16).padStart (4, '0'));
}

// 1,234,567; larger numbers than a browser keeps exactly say so.
function figure (n) {
  if (typeof n === 'string')
    return n.replace (/\B(?=(\d{3})+$)/g, ',');
  return (n > Number.MAX_SAFE_INTEGER ? 'about ' : '') + n.toLocaleString ('en');
}

function several (n, noun) {
  return figure (n) + ' ' + noun + (Number (n) === 1 ? '' : 's');
}

function size (bytes) {
  const unit = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  for (; bytes >= 1024 && i < unit.length - 1; i++)
    bytes /= 1024;
  return (i ? bytes.toFixed (1) : bytes) + ' ' + unit[i];
}

function seconds (s) {
  return s < 1 ? Math.round (1000 * s) + ' ms' : s.toFixed (s < 10 ? 2 : 1) + ' s';
}
