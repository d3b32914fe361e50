// What was asked and answered in words, figures, and where the memory went.

const STOPPED = {memory: 'the memory budget was reached',
                 states: 'the limit of states was reached',
                 time: 'the time was over', interrupt: 'it was interrupted',
                 unbounded: 'the net has infinitely many states',
                 tokens: 'a place outgrew what can be counted'};

function stopped () {
  return STOPPED[report.stopped] || report.stopped || 'it was ended';
}

// ---- Answers ---------------------------------------------------------------

function verdictOf (p) {
  if (p.value !== undefined)
    return p.infinite ? 'unbounded' : 'bound';
  return p.verdict;
}

const CHIP = {true: 'true', false: 'false', unknown: 'unknown',
              unbounded: 'unbounded', bound: 'bound'};

function chip (p) {
  const verdict = verdictOf (p);
  return make ('span', {class: 'chip ' + verdict},
               verdict === 'bound' ? figure (p.value) : CHIP[verdict]);
}

function headline (p) {
  const verdict = verdictOf (p);
  if (verdict === 'bound')
    return 'At most ' + several (p.value, 'token');
  if (verdict === 'unbounded')
    return 'There is no bound';
  const text = p.meaning || {true: 'It holds', false: 'It does not hold',
                             unknown: 'Not decided'}[verdict];
  return text[0].toUpperCase () + text.slice (1);
}

function shownBy (p) {
  if (p.verdict === 'unknown')
    return (p.why ? p.why + '; ' : '') +
           (p.at_least ? 'at least ' + figure (p.at_least) + '; ' : '') +
           'the question stays open';
  if (!p.trace)
    return {structure: 'by the structure of the net, without a search',
            initial: 'by the initial marking, without a search',
            rewrite: 'whatever the net, without a search'}[p.engine] ||
           (p.engine ? 'decided by ' + p.engine : '');
  const n = p.trace.transitions.length;
  if (!n)
    return 'shown by the initial marking';
  return 'shown by a run of ' + several (n, 'step') +
         (p.trace.kind === 'lasso' ? ' that goes on for ever in a loop' : '');
}

// The first of some nodes; null: there are none.
function nodeList (title, list) {
  if (!list || !list.length)
    return null;
  return make ('p', {class: 'culprits'}, title + ': ',
               ...list.slice (0, 20).flatMap ((id, i) =>
                 [i ? ', ' : '', make ('bdi', {class: 'code'}, shown (id, 40))]),
               list.length > 20 ? ' and ' + figure (list.length - 20) + ' more' : '');
}

const alike = (a, b) => a.replace (/[ ()]/g, '') === b.replace (/[ ()]/g, '');

function answerCard (p) {
  return make (
    'article', {class: 'answer ' + verdictOf (p), id: 'answer'},
    alike (p.name, p.formula) ? null
      : make ('p', {class: 'muted'}, make ('bdi', {}, shown (p.name))),
    make ('div', {class: 'question'}, chip (p),
          make ('bdi', {class: 'code'}, shown (p.formula, 600))),
    make ('p', {class: 'headline'}, headline (p)),
    make ('p', {class: 'muted'}, shownBy (p), p.seconds >= 0.001
      ? ' · ' + seconds (p.seconds) : ''),
    nodeList ('Transitions', p.transitions), nodeList ('Places', p.places));
}

// The list of several answers; `chosen (i)` when one of them is.
function answerList (properties, chosen) {
  let at = 0;
  const rows = new Rows ('Questions', 40, (row, i) => {
    const p = properties[i];
    row.setAttribute ('role', 'listitem');
    row.classList.toggle ('now', i === at);
    row.append (button ('', shown (p.name) + ': ' + verdictOf (p), () => {
      at = i;
      rows.show (properties.length);
      chosen (i);
    }, {'aria-current': i === at ? 'true' : null}));
    row.firstChild.append (
      chip (p), make ('bdi', {class: 'name'}, shown (p.name)),
      make ('span', {class: 'muted'}, p.trace
        ? several (p.trace.transitions.length, 'step') : ''));
  }, {role: 'list', id: 'questions', class: 'scroll questions'});
  rows.box.style.height = Math.min (40 * properties.length + 2, 322) + 'px';
  rows.show (properties.length);
  return rows.box;
}

// ---- Figures ---------------------------------------------------------------

function facts () {
  const r = report, list = [], search = r.search || r;
  const add = (name, value) => {
    if (value !== undefined && value !== null)
      list.push ([name, value]);
  };
  const amount = n => n === undefined || n === null ? undefined
    : (r.complete === false && !r.search ? 'at least ' : '') + figure (n);
  const n = r.net;
  add ('Net', several (n.places, 'place') + ', ' +
       several (n.transitions, 'transition') + ', ' + several (n.arcs, 'arc'));
  if (n.unfolded)
    add ('Unfolded', several (n.unfolded.places, 'place') + ', ' +
         several (n.unfolded.transitions, 'transition'));
  add (r.search ? 'States visited' : 'States', amount (search.states));
  add (r.search ? 'Arcs seen' : 'Arcs', amount (search.arcs));
  add ('Deadlocks', r.deadlocks === 0 ? (r.complete ? 'none' : 'none so far')
    : amount (r.deadlocks));
  add ('Dead transitions', r.dead_transitions === 0 ? 'none'
    : amount (r.dead_transitions));
  add ('Most tokens in a place', amount (r.max_tokens_in_place));
  add ('Most tokens in a marking', amount (r.max_tokens_per_marking));
  add ('Depth', amount (search.depth));
  add ('Order', r.order && r.order + (r.store ? ', store ' + r.store : ''));
  add ('Engine', r.engine);
  add ('Size of the graph', r.graph_bytes && size (r.graph_bytes));
  add ('Peak memory', r.peak_rss_bytes && size (r.peak_rss_bytes));
  add ('Time', r.seconds === undefined ? undefined : seconds (r.seconds) +
    (r.threads > 1 ? ' with ' + several (r.threads, 'thread') : ''));
  return make ('dl', {class: 'facts'}, ...list.map (([name, value]) =>
    make ('div', {}, make ('dt', {}, name), make ('dd', {}, value))));
}

// ---- Memory ----------------------------------------------------------------

function bar (share, kind) {
  const fill = make ('span', {class: kind});
  fill.style.width = Math.max (100 * share, 0.5) + '%';
  return fill;
}

function memoryBars () {
  const rows = Object.entries (report.memory || {}).filter (
    ([, m]) => m.used || m.would_be);
  const most = Math.max (1, ...rows.flatMap (
    ([, m]) => [m.used, m.would_be || 0]));
  if (!rows.length)
    return null;
  return section ('Memory', make (
    'table', {class: 'memory'},
    make ('thead', {}, make ('tr', {}, ...['', 'used', '', 'plain storage'].map (
      t => make ('th', {scope: 'col'}, t)))),
    make ('tbody', {}, ...rows.map (([name, m]) => make (
      'tr', {}, make ('th', {scope: 'row'}, name),
      make ('td', {class: 'figure'}, size (m.used)),
      make ('td', {class: 'bars', 'aria-hidden': 'true'},
            m.would_be ? bar (m.would_be / most, 'would') : null,
            bar (m.used / most, 'used')),
      make ('td', {class: 'figure muted'}, m.would_be ? size (m.would_be) : ''))))));
}

function sweepPlot () {
  if (!data.plot)
    return null;
  const s = report.sweep;
  return section ('Sweep', make ('img', {
    class: 'plot', src: 'data:image/svg+xml,' + encodeURIComponent (data.plot),
    alt: 'States stored as progress went on: ' + several (s.sweeps, 'sweep') +
         ', at most ' + several (s.peak_states, 'state') + ' at once'}));
}
