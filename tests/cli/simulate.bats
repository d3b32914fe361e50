# The token game.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  small_model
}

@test "steps by number and by name, and back" {
  tideline simulate small.pnml -q -c 2 -c take_left_1 -c 'fire take_left_3'
  equals "$status" 0
  equals "$output" "step 3            take_left_3
changed           fork_3: 1->0 thinking_3: 1->0 waiting_3: 0->1
marking           waiting_1 waiting_2 waiting_3
enabled           nothing: this is a deadlock"
  tideline simulate small.pnml -q -c 2 -c 1 -c 'fire 1' -c 'back 2'
  contains "$output" "step 1            take_left_2"
  tideline simulate small.pnml -q -c 2 -c 1 -c 1 -c 'to 0'
  contains "$output" "step 0            the initial marking"
  tideline simulate small.pnml -q -c 2 -c back
  contains "$output" "step 0            the initial marking"
}

@test "every move is shown" {
  tideline simulate small.pnml -c 1 -c back
  equals "$(grep -c '^step' <<<"$output")" 3
}

@test "commands from standard input, with comments" {
  run --separate-stderr bash -c 'printf "# first\n\n1\n  2  \nquit\n3\n" | "$TIDELINE" simulate small.pnml -q'
  equals "$status" 0
  contains "$output" "step 2            take_left_2"
}

@test "what is wrong ends a script" {
  tideline simulate small.pnml -q -c take_right_1
  equals "$status" 2
  contains "$stderr" "'take_right_1' is not enabled"
  tideline simulate small.pnml -q -c 4
  equals "$status" 2
  contains "$stderr" "there is no choice 4: they are numbered 1 to 3"
  tideline simulate small.pnml -q -c back
  contains "$stderr" "only 0 steps can be taken back"
  tideline simulate small.pnml -q -c 'to 7'
  contains "$stderr" "step 7 is not played yet"
  tideline simulate small.pnml -q -c 'back much'
  contains "$stderr" "'much' is not a number of steps"
  tideline simulate small.pnml -q -c 'find nothing = 1'
  equals "$status" 2
  contains "$stderr" "unknown place 'nothing'"
  tideline simulate small.pnml -q -c 'run none.txt'
  equals "$status" 2
  contains "$stderr" "none.txt: cannot read"
}

@test "a run to a deadlock is played, saved and read again" {
  tideline simulate small.pnml -q -c 'find deadlock' -c 'save stuck.txt'
  contains "$output" "enabled           nothing: this is a deadlock"
  equals "$(grep -vc '^#' stuck.txt)" 3
  tideline simulate small.pnml -q -c 'run stuck.txt'
  contains "$output" "step 3 "
  echo take_left_1 >>stuck.txt
  tideline simulate small.pnml -q -c 'run stuck.txt'
  equals "$status" 2
  contains "$stderr" "stuck.txt: stopped at line 5"
  tideline check small.pnml deadlock --trace found.txt
  tideline simulate small.pnml -q -c 'run found.txt'
  contains "$output" "this is a deadlock"
}

@test "questions without a run say so" {
  tideline simulate small.pnml -c 'find eating_1 = 2'
  equals "$status" 0
  contains "$output" "EF (eating_1 = 2): false
there is no run that shows it"
  tideline simulate small.pnml -q -c 'ask AG eating_1 = 0'
  contains "$output" "eating_1"
}

@test "random walks are the same for the same seed, and end in a deadlock" {
  tideline simulate small.pnml -c 'random 5' --seed 3
  first=$output
  tideline simulate small.pnml -c 'random 5' --seed 3
  equals "$output" "$first"
  printf 'net d\ntr t p -> q\npl p (3)\n' >d.net
  tideline simulate d.net -q -c 'random 100'
  contains "$output" "step 3            t"
  contains "$output" "marking           q*3"
}

@test "the end as JSON" {
  tideline simulate small.pnml --json -c 1
  equals "$(jq -c '[.steps, .trace.transitions, .changes, .enabled]' <<<"$output")" \
    '[1,["take_left_1"],{"fork_1":0,"thinking_1":0,"waiting_1":1},["take_right_1","take_left_2","take_left_3"]]'
  tideline simulate small.pnml --json -c 1 -c trace -c help -c show
  equals "$(jq -c .steps <<<"$output")" 1
}

@test "coloured nets are played with bindings, unfolded or not" {
  "$TIDELINE" example dbm 3 --format lna -o dbm.lna
  tideline simulate dbm.lna -q -c 'random 20' --json
  unfolded=$(jq -c '[.marking, .trace.transitions]' <<<"$output")
  tideline simulate dbm.lna -q -c 'random 20' --json --no-unfold
  equals "$(jq -c '[.marking, .trace.transitions]' <<<"$output")" "$unfolded"
  tideline simulate dbm.lna -q --no-unfold -c 2 -c 'save t.txt'
  step=$(grep -v '^#' t.txt)
  tideline simulate dbm.lna -q -c "$step"
  contains "$output" "step 1            $step"
  tideline simulate dbm.lna -q -c "${step%% *}"
  equals "$status" 2
  contains "$stderr" "several bindings of '${step%% *}' are enabled"
}

@test "what a net computes and what is not defined is told, and can be taken back" {
  cat >bad.lna <<'LNA'
bad {
  type small : range 0 .. 3;
  place p { dom : small; init : <( 2 )>; }
  transition up { in { p : <( x )>; } out { p : <( x + 1 )>; } }
}
LNA
  run --separate-stderr bash -c 'printf "1\n1\n" | "$TIDELINE" simulate bad.lna -q --no-unfold'
  [ "$status" != 0 ]
  tideline simulate bad.lna --no-unfold -c 1 -c back
  equals "$status" 0
  contains "$output" "step 0"
}

@test "names of PNML are understood and shown" {
  cat >n.pnml <<'X'
<?xml version="1.0"?><pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g"><place id="x1"><name><text>free slots</text></name><initialMarking><text>1</text></initialMarking></place><place id="x2"><name><text>busy</text></name></place><transition id="y1"><name><text>grab one</text></name></transition><arc id="a1" source="x1" target="y1"/><arc id="a2" source="y1" target="x2"/></page></net></pnml>
X
  tideline simulate n.pnml -q -c 'grab one'
  contains "$output" "changed           free slots: 1->0 busy: 0->1"
  tideline simulate n.pnml -q -c y1 --labels id
  contains "$output" "step 1            y1"
}

@test "a terminal has a prompt, and mistakes are no harm" {
  command -v script >/dev/null || skip "there is no script"
  output=$(printf 'wrong\n1\nquit\n' | TERM=xterm script -qec "$TIDELINE simulate small.pnml" /dev/null | tr -d '\r')
  contains "$output" "'wrong' is not enabled"
  contains "$output" "step 1            take_left_1"
}
