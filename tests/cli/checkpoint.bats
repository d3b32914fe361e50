# Runs that are killed and go on from their checkpoints.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  "$TIDELINE" example kanban 4 -o kanban.pnml
  mkdir disk
}

figures='[.states, .arcs, .deadlocks, .depth, .dead_transitions, .max_tokens_in_place, .max_tokens_per_marking] | join(" ")'

# killed KILLS SEED WORD...: a run with checkpoints that is killed so often at
# random moments, and then goes on to its end.
killed () {
  local kills=$1 n=0 killed=0 pid
  RANDOM=$2
  shift 2
  rm -rf checkpoints disk/*
  "$TIDELINE" "$@" --checkpoint checkpoints --every 10ms --json >out 2>err &
  pid=$!
  while :; do
    sleep "0.$(printf '%03d' $((RANDOM % 400)))"
    [ $n -lt "$kills" ] && { kill -9 $pid 2>/dev/null && killed=$((killed + 1)); }
    wait $pid 2>/dev/null
    code=$?
    [ $code = 137 ] || break
    n=$((n + 1))
    if [ -e checkpoints/run ]; then # else it had not begun
      "$TIDELINE" resume checkpoints --threads $((1 + RANDOM % 2)) >out 2>err &
    else
      "$TIDELINE" "$@" --checkpoint checkpoints --every 10ms --json >out 2>err &
    fi
    pid=$!
  done
  [ $code -le 1 ] || { cat err; return 1; }
  output=$(cat out)
  # It may have been over when it was killed: then there is nothing left.
  [ -n "$output" ] || output=$("$TIDELINE" "$@" --json) || [ $? = 1 ]
  kills_in_all=$((kills_in_all + killed))
}

# survives KILLS SEED WORD...: the same, and the figures are those of a straight
# run.
survives () {
  local n
  n=$(TIDELINE=$TIDELINE "$BATS_TEST_DIRNAME/../killed" "$1" "$2" . "${@:3}") || { echo "$n"; return 1; }
  kills_in_all=$((kills_in_all + n))
}

@test "a run that is killed goes on: one thread" {
  survives 4 1 explore kanban.pnml --threads 1
}

@test "two threads" {
  survives 4 2 explore kanban.pnml --threads 2
}

@test "states on disk" {
  survives 3 4 explore kanban.pnml --disk disk --memory 1500K --threads 1
  survives 3 5 explore kanban.pnml --disk disk --threads 2
}

sweep="--order sweep --progress schmidt --exact-count"

@test "a sweep" {
  survives 3 6 explore kanban.pnml $sweep --threads 1
  survives 3 7 explore kanban.pnml $sweep --threads 2
  survives 3 8 explore kanban.pnml --order sweep --progress maxfs --exact-count --memory 4M
}

@test "every store" {
  for store in plain table tree delta; do
    survives 2 3 explore kanban.pnml --store $store
  done
}

# asked KILLS SEED WORD...: the same of questions.
answers='[.properties[] | [.name, .verdict, .value, (.trace.transitions | length)]] | tostring'
asked () {
  local straight
  straight=$("$TIDELINE" "${@:3}" --json | jq -r "$answers")
  killed "$@" || return
  equals "$(jq -r "$answers" <<<"$output")" "$straight"
}
questions=(deadlock 'EF (rework_1 = 4 AND rework_4 = 4 AND rework_2 = 3)' 'AG (rework_1 + 2 * done_3 != 11)'
  'EF (rework_2 = 2 AND done_3 = 1 AND card_1 = 3)' 'MAX(rework_1 + done_4 + rework_3)' quasi-live)

@test "questions" {
  # Nobody else answers beside the search there.
  asked 3 9 check kanban.pnml "${questions[@]}" --threads 1 --engine graph
  asked 3 10 check kanban.pnml "${questions[@]}" --threads 2 --engine graph --disk disk
  killed 3 11 check kanban.pnml "${questions[@]}" $sweep || return 1
  equals "$(jq -c '[.properties[].verdict]' <<<"$output")" '["false","true","false","true","true","true"]'
}

@test "what was answered before is told again" {
  cat >asked.txt <<END
soon: EF rework_2 = 2
late: EF (rework_1 = 4 AND rework_4 = 4 AND rework_2 = 4)
END
  tideline check kanban.pnml @asked.txt --formulas - --checkpoint folder --max-states 3000 --engine graph --json <<<'most: MAX(rework_1 + rework_4)'
  equals "$status" 3
  equals "$(jq -r '.properties[] | "\(.name) \(.verdict)"' <<<"$output")" $'soon true\nlate unknown\nmost unknown'
  trace=$(jq -c '.properties[0].trace' <<<"$output")
  rm kanban.pnml asked.txt
  tideline resume folder --max-states 0 --json
  equals "$status" 0
  equals "$(jq -r '.properties[] | "\(.name) \(.verdict)"' <<<"$output")" $'soon true\nlate true\nmost true'
  equals "$(jq -c '.properties[0].trace' <<<"$output")" "$trace"
  equals "$(jq -c '.properties[2].value, .checkpoints.part' <<<"$output")" $'8\n2'
  fails 0 "folder: the run is finished, with exit code 0; there is nothing to go on with" resume folder
}

@test "answers of an unbounded net" {
  cat >unbounded.net <<END
net grows
tr make -> full
tr move full -> other
tr end last ->
pl last (1)
END
  tideline check unbounded.net 'EF (full >= 40 AND other = 35)' 'MAX(full)' bounded --checkpoint folder --engine graph --max-states 500 --json
  equals "$(jq -c '[.properties[].verdict]' <<<"$output")" '["unknown","true","false"]'
  tideline resume folder --max-states 0 --json
  equals "$status" 1
  equals "$(jq -c '[.properties[].verdict], (.properties[0].trace.transitions | length)' <<<"$output")" $'["true","true","false"]\n110'
}

@test "a property file of a contest, and lines that are printed again" {
  cat >asked.xml <<END
<property-set><property><id>first</id><formula><place-bound><place>rework_1</place></place-bound></formula></property>
<property><id>second</id><formula><exists-path><finally><integer-le><integer-constant>4</integer-constant>
<tokens-count><place>rework_4</place></tokens-count></integer-le></finally></exists-path></formula></property></property-set>
END
  tideline check kanban.pnml --mcc asked.xml --checkpoint folder --max-states 100 --engine graph
  equals "$status" 3
  rm asked.xml
  tideline resume folder --max-states 0
  contains "$output" "FORMULA first 4 TECHNIQUES"
  contains "$output" "FORMULA second TRUE TECHNIQUES"
}

@test "a thousand kills" {
  [ -n "$LONG" ] || skip "takes long"
  "$TIDELINE" example philosophers-both 10 -o philosophers.pnml
  "$TIDELINE" example kanban 5 -o kanban5.pnml
  kills_in_all=0
  for ((seed = 1; kills_in_all < 1000; seed++)); do
    survives 10 $seed explore kanban.pnml --threads 1
    survives 10 $seed explore kanban5.pnml --threads 2
    survives 10 $seed explore philosophers.pnml --threads 2
    survives 10 $seed explore philosophers.pnml --threads 1 --stubborn deadlock
    survives 10 $seed explore kanban5.pnml --disk disk --memory 3M --threads $((1 + seed % 2))
    survives 10 $seed explore kanban5.pnml $sweep --threads $((1 + seed % 2))
    [ $((seed % 10)) != 0 ] || echo "# $kills_in_all kills" >&3
  done
  echo "# $kills_in_all kills, all survived" >&3
}

# interrupted WORD...: an interrupt writes a checkpoint and says how to go on,
# and it does go on.
interrupted () {
  large_model
  for signal in TERM INT; do
    rm -rf folder disk/*
    "$TIDELINE" explore large.pnml --checkpoint folder --json "$@" >out 2>err &
    pid=$!
    sleep 1
    kill -$signal $pid
    code=0; wait $pid || code=$?
    equals $code 3
    equals "$(cat err)" "tideline: go on with: tideline resume folder"
    equals "$(jq '.checkpoints.written == 1 and .checkpoints.states > 0' out)" true
  done
  before=$(jq .states out)
  tideline resume folder --max-states $((before + 100000)) --json
  equals "$status" 3
  equals "$(jq ".states > $before and .checkpoints.part == 2 and .checkpoints.seconds_before > 0" <<<"$output")" true
}

@test "an interrupt writes one and says how to go on" {
  interrupted
}

@test "an interrupt of a search on disk" {
  interrupted --disk disk --memory 8M
  equals "$(ls disk | wc -l)" 1
  equals "$(readlink folder/disk.1)" "$PWD/disk/$(ls disk)"
}

@test "budgets end a part, and more of them go on" {
  tideline explore kanban.pnml --checkpoint folder --max-states 100000 --json
  equals "$status" 3
  tideline resume folder --max-states 0 --json
  equals "$status" 0
  equals "$(jq -r "$figures" <<<"$output")" "$("$TIDELINE" explore kanban.pnml --json | jq -r "$figures")"
  rm -rf small
  tideline explore kanban.pnml --checkpoint small --memory 1500K --threads 1 --json
  equals "$status" 3
  contains "$stderr" "go on with: tideline resume small"
  tideline resume small --memory 1G --json
  equals "$(jq .states <<<"$output")" 454475
  fails 0 "folder: the run is finished, with exit code 0; there is nothing to go on with" resume folder
}

@test "neither the model nor its folder are needed any more" {
  mkdir there
  mv kanban.pnml there
  tideline explore there/kanban.pnml --checkpoint folder --max-states 10000 --quiet
  equals "$status" 3
  rm -r there
  mv folder moved
  tideline resume moved --max-states 0 --json
  equals "$status" 0
  equals "$(jq .states <<<"$output")" 454475
}

@test "a model from standard input" {
  "$TIDELINE" explore - --checkpoint folder --max-states 10000 --quiet <kanban.pnml || equals $? 3
  tideline resume folder --max-states 0 --json
  equals "$(jq .states <<<"$output")" 454475
}

@test "a checkpoint is not written over" {
  tideline explore kanban.pnml --checkpoint folder --max-states 10000
  fails 2 "folder: there is a checkpoint: go on with 'tideline resume', or remove the folder" \
    explore kanban.pnml --checkpoint folder
}

@test "a folder is for one run at a time" {
  mkdir folder
  (
    flock 9
    fails 2 "folder: another run writes its checkpoints there" explore kanban.pnml --checkpoint folder
  ) 9>folder/lock
}

@test "what has no checkpoints says so" {
  fails 2 "there are no checkpoints: depth-first search has none" \
    explore kanban.pnml --checkpoint folder --order dfs
  fails 2 "--checkpoint goes with --engine explicit" \
    explore kanban.pnml --checkpoint folder --engine symbolic
  fails 2 "--every goes with --checkpoint" explore kanban.pnml --every 3
  fails 2 "there are no checkpoints: 'AG EF rework_1 = 2' is not decided by looking at markings one by one" \
    check kanban.pnml --checkpoint a 'AG EF rework_1 = 2'
  fails 2 "there are no checkpoints with the engine symbolic" \
    check kanban.pnml --checkpoint c 'MAX(rework_1)' --engine symbolic
  fails 2 "a check with checkpoints has no certificate" \
    check kanban.pnml --checkpoint d 'MAX(rework_1)' --certificate file
  fails 2 "there are no checkpoints: stubborn sets for a property have none" \
    check kanban.pnml --checkpoint e 'EF rework_1 + done_3 = 8' --stubborn property
  fails 2 "none: there are no checkpoints of a run" resume none
}

@test "what a kill has left beside the first checkpoint is removed" {
  tideline explore kanban.pnml --checkpoint folder --disk disk --max-states 10000
  rm folder/checkpoint
  tideline resume folder --max-states 10000
  equals "$(readlink folder/disk.1)" "$PWD/disk/$(ls disk)"
}

@test "what a kill has left behind the end is removed" {
  tideline explore kanban.pnml --checkpoint folder --max-states 10000
  cp folder/checkpoint folder/states.1 .
  tideline resume folder --max-states 0
  mv checkpoint states.1 folder/
  fails 0 "folder: the run is finished, with exit code 0; there is nothing to go on with" resume folder
  equals "$(ls folder)" $'inputs\nlock\nrun'
}

@test "a full disk keeps the run going" {
  "$TIDELINE" example kanban 5 -o kanban.pnml
  (
    ulimit -f 100
    tideline explore kanban.pnml --checkpoint folder --every 10ms --json
    equals "$status" 0
    equals "$(jq .states <<<"$output")" 2546432
    contains "$stderr" "no checkpoint could be written: File too large"
  )
}

@test "an interrupt of a sweep" {
  interrupted $sweep
}

@test "a full disk beside a sweep" {
  (
    ulimit -f 100
    tideline explore kanban.pnml --checkpoint folder $sweep --every 1ms --json
    equals "$status" 0
    equals "$(jq .states <<<"$output")" 454475
    contains "$stderr" "no checkpoint could be written: "
  )
}

@test "a full disk while states on disk are in memory" {
  (
    ulimit -f 100
    tideline explore kanban.pnml --checkpoint folder --disk disk --every 1ms --json
    equals "$status" 0
    equals "$(jq .states <<<"$output")" 454475
    contains "$stderr" "no checkpoint could be written: File too large"
  )
  equals "$(ls disk)" ""
}

# A small checkpoint, as it is when a run was broken off.
damage () {
  "$TIDELINE" example philosophers 5 -o small.pnml
  "$TIDELINE" explore small.pnml --checkpoint folder --max-states 40 --quiet "$@" >/dev/null || equals $? 3
  rm -f folder/lock
  cp -a folder whole
}

# refused: the folder is, with a reason.
refused () {
  tideline resume folder --max-states 0 --json
  [ "$status" = 2 ] && [ -n "$stderr" ] || { echo "exit code $status: $1"; return 1; }
}

# any_byte FILE...: with any byte of it changed, or cut off, the checkpoint is
# refused.
any_byte () {
  local step=151
  [ -z "$LONG" ] || step=1
  for file; do
    size=$(stat -c %s whole/$file)
    for ((at = RANDOM % step; at < size; at += step)); do
      cp whole/$file folder/$file
      byte=$(od -An -tu1 -j$at -N1 whole/$file)
      printf "\\x$(printf %02x $((byte ^ 1 << at % 8)))" |
        dd of=folder/$file bs=1 seek=$at conv=notrunc status=none
      refused "$file, byte $at"
      head -c $at whole/$file >folder/$file
      refused "$file, cut off at $at"
    done
    cp whole/$file folder/$file
  done
  tideline resume folder --max-states 0 --json
  equals "$status" 0
}

@test "a checkpoint with a byte changed, or cut off, is refused" {
  damage
  any_byte checkpoint run states.1 inputs/1/small.pnml
}

@test "and one of a sweep" {
  damage $sweep
  any_byte checkpoint states.3 log.1
  # The first blocks of an archive.
  rm -r folder
  "$TIDELINE" explore kanban.pnml --checkpoint folder --max-states 200000 $sweep --memory 2M --quiet >/dev/null || equals $? 3
  cp folder/archive.2 file
  for at in 3 65537 100000; do
    printf 'x' | dd of=folder/archive.2 bs=1 seek=$at conv=notrunc status=none
    refused "byte $at"
    contains "$stderr" "folder/archive.2: the file is damaged, or cut off"
    head -c $at file >folder/archive.2
    refused "cut off at $at"
    cp file folder/archive.2
  done
  tideline resume folder --max-states 0 --json
  equals "$status" 0
  equals "$(jq .states <<<"$output")" 454475
}

@test "and one of states on disk" {
  damage --disk disk
  any_byte checkpoint
  # Of the file those bytes that a page has: the last one ends it.
  damage --disk disk
  states=$(readlink folder/disk.1)
  cp $states file
  last=$(($(stat -c %s file) - 20))
  for at in 4 $last; do
    cp file $states
    byte=$(od -An -tu1 -j$at -N1 file)
    printf "\\x$(printf %02x $((byte ^ 1)))" | dd of=$states bs=1 seek=$at conv=notrunc status=none
    refused "byte $at"
    contains "$stderr" "the states of the checkpoint are damaged"
    head -c $at file >$states
    refused "cut off at $at"
  done
  rm $states
  refused "there is no file"
  contains "$stderr" "folder/disk.1: the states of the checkpoint cannot be read: No such file"
  cp file $states
  (
    flock 9
    fails 2 "folder/disk.1: another run has these states" resume folder
  ) 9>>$states
  tideline resume folder --max-states 0 --json
  equals "$status" 0
  equals "$(ls disk)" ""
}
