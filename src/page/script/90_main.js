// The page.

const COMMANDS = {check: 'check', explore: 'exploration', graph: 'state graph',
                  simulate: 'token game'};

// The answer of a command that was asked nothing, in a sentence.
function summary () {
  const r = report, part = r.complete === false ? 'At least ' : '';
  if (data.command === 'simulate')
    return ['A run of ' + several (r.steps, 'step'),
            r.enabled.length ? several (r.enabled.length, 'step') +
              (r.enabled.length === 1 ? ' is' : ' are') + ' enabled at its end'
              : 'It ends in a deadlock: nothing is enabled there'];
  if (data.command === 'graph')
    return [several (r.graph_states, 'state') + ' and ' + several (r.arcs, 'arc'),
            size (r.graph_bytes) + ' in all, ' + r.bytes_per_state +
              ' bytes for each state'];
  const head = r.states === null ? 'Every state was visited' : part +
    several (r.states, 'state');
  const dead = r.deadlocks > 0 ? part.toLowerCase () + several (r.deadlocks, 'deadlock') +
      (r.deadlock_trace ? '; the run below leads to ' +
        (r.deadlocks === 1 ? 'it' : 'the first one') : '')
    : r.deadlocks === 0 ? (r.complete ? 'no deadlock' : 'no deadlock so far') : '';
  return [head, dead + (r.complete === false
    ? (dead ? '. ' : '') + 'Incomplete: ' + stopped () : '')];
}

function summaryCard () {
  const [head, more] = summary ();
  return make ('article', {class: 'answer', id: 'answer'},
               make ('p', {class: 'headline'}, head),
               make ('p', {class: 'muted'}, more),
               nodeList ('Dead transitions', report.dead_transition_ids));
}

function countAnswers (properties) {
  const count = new Map ();
  properties.forEach (p => count.set (verdictOf (p),
                                      (count.get (verdictOf (p)) || 0) + 1));
  return several (properties.length, 'question') + ': ' +
    [...count].map (([verdict, n]) => figure (n) + ' ' +
      (verdict === 'bound' && n > 1 ? 'bounds' : CHIP[verdict])).join (', ');
}

// ---- Traces of a report ----------------------------------------------------

function ownTrace () {
  const keys = [['deadlock_trace', 'to a deadlock'],
                ['unbounded_trace', 'to more and more tokens'],
                ['trace', 'the run that was played']];
  for (const [key, title] of keys) {
    const trace = findTrace (key, 0, report[key], title);
    if (trace)
      return trace;
  }
  return noTrace ();
}

function traceOf (i) {
  const p = report.properties[i];
  return findTrace ('properties', i, p.trace, p.name) ||
         findTrace ('unbounded_trace', 0, report.unbounded_trace, p.name) ||
         noTrace ();
}

// ---- Together --------------------------------------------------------------

function stage () {
  const table = new MarkingTable (), net = data.net ? new NetView () : null;
  const steps = new StepList (i => { player.pause (); player.go (i); });
  const player = new Player (playing => {
    if (net)
      net.update (playing);
    table.update (playing);
    steps.update (playing);
  });
  if (net)
    net.current = () => player.playing;
  const left = net ? net.box : make (
    'p', {class: 'note'}, 'The net is too large for a picture: ' +
    several (report.net.places, 'place') + ', ' +
    several (report.net.transitions, 'transition') + '.');
  const box = make ('section', {class: 'show', 'aria-label': 'Playback'},
                    player.box,
                    make ('div', {class: net ? 'stage' : 'stage bare'}, left,
                          make ('div', {class: 'side'}, table.box, steps.box)));
  return {box, player};
}

function begin () {
  const properties = report.properties || [], {box, player} = stage ();
  const answers = make ('section', {'aria-label': 'Answer'});
  const show = i => {
    answers.querySelector ('article').replaceWith (answerCard (properties[i]));
    player.open (traceOf (i));
  };
  const graph = data.states ? new StateGraph (data.states) : null;
  const name = shown (report.model, 80);
  document.title = name + ' · Tideline';
  if (properties.length > 1)
    answers.append (make ('p', {class: 'muted'}, countAnswers (properties)),
                    answerList (properties, show));
  answers.append (properties.length ? answerCard (properties[0]) : summaryCard ());
  document.body.append (
    make ('header', {}, make ('p', {class: 'kind'}, 'Tideline · ' +
      COMMANDS[data.command]), make ('h1', {}, make ('bdi', {}, name))),
    make ('main', {}, answers, box,
          graph ? graph.box : '',
          section ('Figures', facts ()), sweepPlot () || '', memoryBars () || ''),
    make ('footer', {}, 'Made by tideline ' + report.version +
          '. This page needs no network; its data are JSON inside it. Keys: ' +
          '← → step, space plays, Home and End.'));
  player.open (properties.length ? traceOf (0) : ownTrace ());
  if (graph)
    graph.choose (0);
}

begin ();
