// Playback of a trace: buttons, slider, keys, and the step in words.

const SPEEDS = [[1, '1 step/s'], [3, '3 steps/s'], [10, '10 steps/s'],
                [100, '100 steps/s'], [5000, 'as fast as it goes']];

class Player {
  // `seen (playing)` is called whenever something else is to be shown.
  constructor (seen) {
    this.seen = seen;
    this.timer = 0;
    this.speed = SPEEDS[1][0];
    this.build ();
    document.addEventListener ('keydown', event => this.key (event));
  }

  build () {
    const go = step => () => { this.pause (); this.go (step ()); };
    this.toggle = button (icon ('play'), 'Play', () => this.playOrPause (),
                          {class: 'play', id: 'play'});
    this.slider = make ('input', {
      type: 'range', min: 0, value: 0, id: 'slider', 'aria-label': 'Step',
      oninput: () => { this.pause (); this.go (Number (this.slider.value)); }});
    this.loop = make ('div', {class: 'loop', 'aria-hidden': 'true'});
    this.where = make ('output', {class: 'where', id: 'where'});
    this.step = make ('p', {class: 'step', id: 'step'});
    this.changes = make ('p', {class: 'changes', id: 'changes'});
    this.live = make ('div', {class: 'unseen', role: 'status',
                              'aria-live': 'polite'});
    const speed = make ('select', {
      'aria-label': 'Speed', onchange: () => { this.speed = Number (speed.value); }
    }, ...SPEEDS.map (([value, text]) => make (
      'option', {value, selected: value === this.speed}, text)));
    this.box = make (
      'div', {class: 'player', role: 'group', 'aria-label': 'Playback'},
      make ('div', {class: 'controls noprint'},
            button (icon ('first'), 'First marking (Home)', go (() => 0), {id: 'first'}),
            button (icon ('back'), 'Step back (left arrow)', go (() => this.at - 1),
                    {id: 'back'}),
            this.toggle,
            button (icon ('next'), 'Step (right arrow)', go (() => this.following ()),
                    {id: 'next'}),
            button (icon ('last'), 'Last marking (End)', go (() => this.trace.played),
                    {id: 'last'}),
            make ('div', {class: 'track'}, this.slider, this.loop),
            this.where, speed),
      this.step, this.changes, this.live);
  }

  get at () {
    return this.playing.at;
  }

  get trace () {
    return this.playing.trace;
  }

  open (trace) {
    this.pause ();
    this.playing = new Playing (trace);
    this.slider.max = trace.played;
    this.box.classList.toggle ('still', !trace.played);
    this.loop.classList.toggle ('shown', trace.loops);
    if (trace.loops) {
      this.loop.style.left = 100 * trace.loopFrom / trace.length + '%';
      this.loop.title = 'The run goes on for ever: again and again from step ' +
                        trace.loopFrom;
    }
    this.go (0);
  }

  go (step) {
    this.playing.go (step);
    this.tell ();
    this.seen (this.playing);
  }

  // After the end of a loop comes its beginning.
  following () {
    return this.at < this.trace.played ? this.at + 1
         : this.trace.closes ? this.trace.loopFrom + 1 : this.at;
  }

  // ---- In words ------------------------------------------------------------

  tell () {
    const {trace, at} = this, changes = this.playing.changes ();
    this.slider.value = at;
    this.where.textContent = figure (at) + ' / ' + figure (trace.played);
    this.slider.setAttribute ('aria-valuetext',
                              'step ' + at + ' of ' + trace.played);
    this.step.replaceChildren (
      make ('span', {class: 'muted'}, at ? 'Step ' + figure (at) + ' ' : ''),
      make ('bdi', {class: at ? 'fired' : ''},
            at ? shown (trace.stepName (at)) : 'The initial marking'),
      this.loopNote ());
    this.changes.replaceChildren (...changes.slice (0, 12).map (
      ([kind, before, after]) => make (
        'span', {class: 'change'},
        make ('bdi', {}, shown (kinds.label[kind], 40)), ' ',
        figure (before), ' → ', make ('b', {}, figure (after)))));
    if (changes.length > 12)
      this.changes.append ('and ' + figure (changes.length - 12) + ' more');
    if (!this.timer)
      this.live.textContent = this.step.textContent + '. ' +
        [...this.changes.children].map (c => c.textContent).join (', ');
  }

  loopNote () {
    const {trace, at} = this;
    const text = !trace.loops ? ''
      : at === trace.length ? (trace.closes
        ? 'and again from step ' + figure (trace.loopFrom)
        : 'more tokens than at step ' + figure (trace.loopFrom) +
          ': this can be repeated for ever')
      : at === trace.loopFrom ? 'here the loop begins'
      : at > trace.loopFrom ? 'in the loop' : '';
    return text ? make ('span', {class: 'badge'}, text) : '';
  }

  // ---- Playing -------------------------------------------------------------

  playOrPause () {
    if (this.timer)
      return this.pause ();
    if (this.at === this.trace.played && !this.trace.closes)
      this.go (0);
    let last = performance.now (), due = 0;
    const turn = now => {
      due += (now - last) / 1000 * this.speed;
      last = now;
      const steps = Math.floor (due);
      due -= steps;
      this.timer = requestAnimationFrame (turn);
      if (steps)
        this.advance (steps);
    };
    this.timer = requestAnimationFrame (turn);
    this.showToggle ();
  }

  advance (steps) {
    let to = this.at + steps;
    const {trace} = this;
    if (to > trace.played && trace.closes)
      to = trace.loopFrom + (to - trace.loopFrom) %
                            Math.max (1, trace.length - trace.loopFrom);
    this.go (to);
    if (to >= trace.played && !trace.closes)
      this.pause ();
  }

  pause () {
    if (!this.timer)
      return;
    cancelAnimationFrame (this.timer);
    this.timer = 0;
    this.showToggle ();
    this.tell ();
  }

  showToggle () {
    this.toggle.replaceChildren (icon (this.timer ? 'pause' : 'play'));
    this.toggle.title = this.timer ? 'Pause (space)' : 'Play (space)';
    this.toggle.setAttribute ('aria-label', this.timer ? 'Pause' : 'Play');
  }

  key (event) {
    const typing = event.target.closest ('input, select, textarea, .scroll');
    if (typing || event.ctrlKey || event.altKey || event.metaKey)
      return;
    const act = {ArrowLeft: () => this.at - 1, ArrowRight: () => this.following (),
                 Home: () => 0, End: () => this.trace.played}[event.key];
    if (act) {
      this.pause ();
      this.go (act ());
    } else if (event.key === ' ' && !event.target.closest ('button, [tabindex]'))
      this.playOrPause ();
    else
      return;
    event.preventDefault ();
  }
}
