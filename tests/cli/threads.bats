# Several threads in one search: the same figures, the same ends.

load common

# What must not depend on the number of threads.
figures () {
  jq -c '[.complete, .states, .arcs, .deadlocks, .dead_transitions,
    .max_tokens_in_place, .max_tokens_per_marking, .depth]'
}

@test "the same figures with any number of threads and any store" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  "$TIDELINE" example philosophers-both 11 -o phils.pnml
  for net in kanban phils; do
    expected=$("$TIDELINE" explore $net.pnml --threads 1 --json | figures)
    for threads in 2 3 8; do
      for store in table plain tree; do
        tideline explore $net.pnml --threads $threads --store $store --json
        equals "$status" 0
        equals "$(figures <<<"$output")" "$expected"
        equals "$(jq .threads <<<"$output")" $threads
      done
    done
  done
}

# Walkers along walls of bricks: long keys that have much in common.
@test "the tree is chosen where it is leaner, with any number of threads" {
  awk 'BEGIN {
    print "net walkers"
    for (w = 0; w < 4; w++)
      for (i = 0; i < 9; i++) {
        printf "pl open%d_%d (3)\n", w, i
        printf "tr step%d_%d open%d_%d%s -> done%d_%d\n", w, i, w, i,
          i ? sprintf (" done%d_%d?3", w, i - 1) : "", w, i
      }
  }' >walkers.net
  for threads in 1 4; do
    tideline explore walkers.net --threads $threads --json
    equals "$status" 0
    equals "$(jq -c '[.states, .arcs, .store, .threads]' <<<"$output")" "[614656,2370816,\"tree\",$threads]"
  done
}

# All tokens 4096 times: the same graph, with keys of several words.
@test "the same figures of states with long keys, with any store" {
  "$TIDELINE" example fms 4 --format tina -o fms.net
  awk '
    $1 == "pl" { gsub (/[()]/, "", $3); $3 = "(" $3 * 4096 ")" }
    $1 == "tr" {
      for (i = 3; i <= NF; i++)
        if ($i != "->") {
          split ($i "*1", part, "*")
          $i = part[1] "*" part[2] * 4096
        }
    }
    { print }' fms.net >long.net
  for threads in 1 2; do
    for store in table plain tree; do
      tideline explore long.net --threads $threads --store $store --json
      equals "$status" 0
      equals "$(jq -c '[.states, .arcs, .depth]' <<<"$output")" '[438600,3166985,56]'
    done
  done
}

@test "the way to a dead state is as short" {
  "$TIDELINE" example philosophers-both 11 -o phils.pnml
  for threads in 1 4; do
    tideline explore phils.pnml --threads $threads --trace trace
    equals "$status" 0
    grep -c . trace >length$threads
  done
  cmp length1 length4
}

@test "stubborn sets with several threads" {
  "$TIDELINE" example dbm 10 -o dbm.pnml
  one=$("$TIDELINE" explore dbm.pnml --stubborn deadlock --threads 1 --json | figures)
  four=$("$TIDELINE" explore dbm.pnml --stubborn deadlock --threads 4 --json | figures)
  equals "$four" "$one"
}

@test "the report says how many threads there were, and how even the work" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  tideline explore kanban.pnml --threads 2
  contains "$output" "2 threads, on an average"
  tideline explore kanban.pnml --threads 2 --json
  equals "$(jq '.balance > 0.3 and .balance <= 1' <<<"$output")" true
  tideline explore kanban.pnml --threads 2 --order dfs --json
  equals "$(jq -c '[.threads, .threads_why]' <<<"$output")" '[1,"depth-first search has one"]'
}

@test "by default there are as many threads as cores" {
  "$TIDELINE" example kanban 5 -o kanban.pnml
  cpu=$(sed -nE 's/^Cpus_allowed_list:\s*([0-9]+).*/\1/p' /proc/self/status)
  run taskset -c "$cpu" "$TIDELINE" explore kanban.pnml --json
  equals "$(jq -c '[.threads, .threads_why]' <<<"$output")" '[1,null]'
  cores=$(nproc)
  [[ $cores -gt 1 && ! $(cat /sys/fs/cgroup/cpu.max) =~ ^[0-9] ]] || skip "one core"
  tideline explore kanban.pnml --json
  equals "$(jq .threads <<<"$output")" "$cores"
}

@test "budgets end all threads" {
  large_model
  tideline explore large.pnml --threads 4 --max-states 2000000 --json
  equals "$status" 3
  equals "$(jq -c '[.complete, .stopped, .threads, .states > 2000000, .states < 2500000]' <<<"$output")" \
    '[false,"states",4,true,true]'
  tideline explore large.pnml --threads 4 --timeout 1 --json
  equals "$status" 3
  equals "$(jq -c '[.complete, .stopped, .threads, .seconds < 10]' <<<"$output")" \
    '[false,"time",4,true]'
  for store in table plain; do
    tideline explore large.pnml --threads 2 --memory 80M --timeout 60 --store $store --json
    equals "$status" 3
    equals "$(jq -c '[.complete, .stopped, .threads]' <<<"$output")" '[false,"memory",2]'
  done
}

@test "with little memory there are fewer threads" {
  large_model
  tideline explore large.pnml --threads 8 --memory 4M --max-states 1000000 --json
  equals "$status" 3
  equals "$(jq -c '[.threads, .threads_why]' <<<"$output")" '[1,"there was no memory for more"]'
}

@test "where the system starts no threads there is one, and it says so" {
  large_model
  # Stacks larger than any address space: no thread can be started.
  ulimit -s $((1 << 37)) || skip "the size of stacks is limited here"
  tideline explore large.pnml --threads 8 --max-states 1000000 --json
  equals "$status" 3
  equals "$(jq -c '[.threads, .threads_why]' <<<"$output")" '[1,"the system gave no more"]'
}

@test "an interrupt ends all threads" {
  large_model
  "$TIDELINE" explore large.pnml --threads 3 --json >out 2>err &
  sleep 1
  kill -INT $!
  code=0
  wait $! || code=$?
  equals $code 3
  equals "$(jq -c '[.complete, .stopped]' out)" '[false,"interrupt"]'
}

@test "questions have the same answers" {
  "$TIDELINE" example kanban 5 -o kanban.pnml
  ask () { # THREADS
    "$TIDELINE" check kanban.pnml --threads $1 --json \
      'AG (done_1 != 3 OR rework_2 != 4 OR done_3 + rework_4 != 7)' |
      jq -c '[.threads, .properties[].verdict]'
  }
  equals "$(ask 1)" '[1,"false"]'
  equals "$(ask 4)" '[4,"false"]'
}

@test "lanes and logs go to the disk, and nothing stays there" {
  "$TIDELINE" example kanban 5 -o kanban.pnml
  mkdir disk
  # Logs take 1.5 MB, and may take 1.25 here: with more memory none had to go if all three were alike.
  TMPDIR=$PWD/disk tideline explore kanban.pnml --threads 3 --memory 40M --json
  equals "$status" 0
  equals "$(jq -c '[.threads, .states, .arcs, .spilled_bytes > 0]' <<<"$output")" \
    '[3,2546432,24460016,true]'
  equals "$(ls -A disk)" ""
}

@test "a graph has the same bytes with any number of threads" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  "$TIDELINE" graph kanban.pnml --threads 1 -o one.tlg
  for threads in 2 3 8; do
    tideline graph kanban.pnml --threads $threads -o several.tlg
    equals "$status" 0
    cmp one.tlg several.tlg
  done
}

@test "sweeps have the same figures with any number of threads" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  for options in "--progress done_1 --exact-count" "--progress schmidt --exact-count --store plain" \
    "--progress done_1+done_4 --window all --store tree"; do
    expected=$("$TIDELINE" explore kanban.pnml --order sweep $options --threads 1 --json | figures)
    for threads in 2 8; do
      tideline explore kanban.pnml --order sweep $options --threads $threads --json
      equals "$status" 0
      equals "$(figures <<<"$output")" "$expected"
      # Of a measure with many values no layer is large.
      [[ $options == *schmidt* ]] || equals "$(jq .threads <<<"$output")" $threads
    done
  done
}

@test "questions on graphs have the same answers" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  ask () {
    "$TIDELINE" check kanban.pnml --threads $1 --engine graph --json \
      'AG EF done_1 = 4' 'A F G done_2 <= 3' reversible | jq -c '[.properties[].verdict]'
  }
  expected=$(ask 1)
  for threads in 2 3; do
    equals "$(ask $threads)" "$expected"
  done
}
