load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  small_model
}

@test "unknown option, with the nearest one" {
  fails 2 "unknown option '--ordr'; did you mean '--order'?" explore small.pnml --ordr bfs
  fails 2 "unknown option '--xyzzy'; see tideline help explore" explore small.pnml --xyzzy
  fails 2 "unknown option '-Z'; see tideline help explore" explore small.pnml -Z
}

@test "options of the sweep ask for the sweep, and go with no other order" {
  for option in --progress=auto --window=3 --monotone --exact-count --plot=p.svg; do
    name=${option%%=*}
    fails 2 "$name goes with --order sweep, not with bfs" explore small.pnml $option --order bfs
    fails 2 "$name goes with --order sweep, not with dfs" check small.pnml deadlock --order dfs $option
    [ ! -e p.svg ]
  done
}

@test "windows" {
  for window in -1 x 1.5 '' 18446744073709551614 99999999999999999999; do
    fails 2 "--window: '$window' is neither a number of units of progress nor all" explore small.pnml --window="$window"
  done
}

@test "reductions" {
  tideline explore --stubborn help
  equals "$status" 0
  contains "$output" "deadlock"
  contains "$output" "property"
  fails 2 "--stubborn: there is no reduction 'mule'; --stubborn=help lists them" explore small.pnml --stubborn mule
  fails 2 "--stubborn: property needs one to keep; it goes with check" explore small.pnml --stubborn property
  fails 2 "--exact-count: with --stubborn deadlock not every state is visited" explore small.pnml --stubborn deadlock --exact-count
}

@test "an option of another command" {
  fails 2 "'explore' has no option '--format'; see tideline help explore" explore small.pnml --format pnml
  fails 2 "'info' has no option '--trace'; see tideline help info" info small.pnml --trace t
}

@test "numbers out of range" {
  fails 2 "--max-states: '-5' is not a number from 0 to 18446744073709551615" explore small.pnml --max-states -5
  fails 2 "--max-states: '99999999999999999999' is not a number from 0 to 18446744073709551615" explore small.pnml --max-states 99999999999999999999
  fails 2 "--max-states: '' is not a number from 0 to 18446744073709551615" explore small.pnml --max-states=
  fails 2 "--seed: '3x' is not a number from 0 to 18446744073709551615" explore small.pnml --seed 3x
  fails 2 "--delta-k: '0' is not a number from 1 to 255" explore small.pnml --delta-k 0
  fails 2 "--delta-k: '256' is not a number from 1 to 255" explore small.pnml --delta-k 256
  fails 2 "--threads: '0' is not a number from 1 to 4096" explore small.pnml --threads 0
}

@test "sizes" {
  for size in 64M 1G 100000K 100000000 2g 1.5G 2GB 2GiB 500mb 1e9 64000000B .1T; do
    tideline explore small.pnml --memory $size -q
    equals "$status" 0
  done
  for size in 3X M -1 999999999999999999999 99999999999999999G 2GX 2Gi 2iB 1e30 1e130 . 1e; do
    fails 2 "--memory: '$size' is not a size such as 500M or 2GiB" explore small.pnml --memory $size
  done
}

@test "times" {
  for time in 0.5e2 60 10m 10min 1.5h 1h30m 2d 90s 90000ms; do
    tideline explore small.pnml --timeout $time -q
    equals "$status" 0
  done
  for time in -1 nan inf 1x x 1e99 0x10 m 1h30 366d 1m1; do
    fails 2 "--timeout: '$time' is not a time such as 90, 1.5h or 10m, from 0 to 31536000 seconds" explore small.pnml --timeout $time
  done
}

@test "counts" {
  "$TIDELINE" example kanban 3 -o kanban.net
  tideline explore kanban.net --max-states 1e3 -q
  equals "$status" 3
  tideline explore kanban.net --max-states 1e6 -q
  equals "$status" 0
  fails 2 "--max-states: '1.5' is not a number from 0 to 18446744073709551615" explore kanban.net --max-states 1.5
}

@test "only options of the command are suggested" {
  fails 2 "unknown option '--ordr'; see tideline help info" info small.pnml --ordr bfs
  fails 2 "unknown option '--formt'; see tideline help explore" explore small.pnml --formt pnml
}

@test "a parameter without a value" {
  "$TIDELINE" example dbm 4 -o dbm.lna
  fails 2 "dbm.lna: the parameter 'N' needs a value: NAME=VALUE" explore dbm.lna -D N
  fails 2 "--define needs a value: NAME=VALUE" explore dbm.lna -D
  tideline explore dbm.lna -D UNUSED -q
  equals "$status" 0
}

@test "threads that are not needed are not there" {
  tideline explore small.pnml --threads 2
  equals "$status" 0
  contains "$output" "1 thread: so few states are found sooner by one"
  tideline explore small.pnml --threads 1
  contains "$output" "every state, 1 thread"
  [[ $output != *"1 thread:"* ]]
  tideline explore small.pnml
  contains "$output" "every state, 1 thread"
  [[ $output != *"1 thread:"* ]]
}

@test "values missing or in excess" {
  fails 2 "--memory needs a value: SIZE" explore small.pnml --memory
  fails 2 "--json takes no value" explore small.pnml --json=yes
}

@test "--name=value and --name value, mixed with operands" {
  tideline explore --order=dfs small.pnml --store plain --json
  equals "$status" 0
  equals "$(jq -r '.order + " " + .store' <<<"$output")" "dfs plain"
}

@test "-- ends the options" {
  cp small.pnml -- -odd.pnml
  tideline explore -q -- -odd.pnml
  equals "$status" 0
}

@test "tables of kinds" {
  tideline explore --store=help
  equals "$status" 0
  contains "$output" "auto"
  contains "$output" "plain"
  tideline explore --order help
  equals "$status" 0
  contains "$output" "bfs"
  contains "$output" "dfs"
  tideline explore --progress help
  equals "$status" 0
  contains "$output" "schmidt"
  fails 2 "--order: there is no order 'zigzag'; --order=help lists them" explore small.pnml --order zigzag
  fails 2 "--store: there is no store 'attic'; --store=help lists them" explore small.pnml --store attic
}

@test "too few and too many operands" {
  fails 2 "usage: tideline explore MODEL [options]; see tideline help explore" explore
  fails 2 "usage: tideline explore MODEL [options]; see tideline help explore" explore a b
  fails 2 "usage: tideline example FAMILY N... [options]; see tideline help example" example
}

@test "a P/T net has no parameters" {
  fails 2 "small.pnml: the net has no parameter 'N'" explore small.pnml -D N=3
  fails 2 "small.pnml: the net has no parameter 'N'" info small.pnml -DN=3
}
