# Searches on a device: the kernels run by the processor, and no GPU at all.

load common

setup_file () {
  export XDG_CACHE_HOME=$BATS_FILE_TMPDIR
}

figures () {
  jq -c '[.complete, .states, .arcs, .deadlocks, .dead_transitions,
    .max_tokens_in_place, .max_tokens_per_marking, .depth]'
}

@test "the same figures on an emulated device, with tables of each kind" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  expected=$("$TIDELINE" explore kanban.pnml --threads 1 --json | figures)
  for way in "slots 1G" "lanes 4M" "lanes 2700K"; do
    tideline explore kanban.pnml --device emulated --threads 2 --memory "${way#* }" --json
    equals "$status" 0
    equals "$(figures <<<"$output")" "$expected"
    equals "$(jq -c '[.device.kind, .device.table]' <<<"$output")" "[\"emulated\",\"${way% *}\"]"
  done
}

@test "ways to what is asked are as short" {
  "$TIDELINE" example philosophers 6 -o phils.pnml
  tideline explore phils.pnml --device emulated --trace trace
  equals "$status" 0
  equals "$(grep -vc '^#' trace)" 6
  for device in cpu emulated; do
    tideline check phils.pnml 'EF DEADLOCK' --device $device --json
    equals "$(jq -c '.properties[0] | [.verdict, (.trace.transitions | length)]' <<<"$output")" '["true",6]'
  done
}

@test "a device whose memory is used up ends the search with what is known" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  tideline explore kanban.pnml --device emulated --memory 1M --json
  equals "$status" 3
  equals "$(jq -c '[.complete, .states < 454475]' <<<"$output")" '[false,true]'
}

@test "a place that outgrows its field gets a wider one" {
  cat >net.net <<'END'
net widening
pl p (0)
pl q (2)
tr up p?-300 -> p
tr down p ->
tr move q -> r
tr back r -> q
END
  expected=$("$TIDELINE" explore net.net --threads 1 --json | figures)
  tideline explore net.net --device emulated --json
  equals "$status" 0
  equals "$(figures <<<"$output")" "$expected"
  equals "$(jq -c '[.device.kind, .widened, .max_tokens_in_place]' <<<"$output")" '["emulated",1,300]'
}

@test "what a device cannot do is done by the processor, and told" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  tideline explore kanban.pnml --device emulated --stubborn deadlock --json
  equals "$status" 0
  equals "$(jq -c .device <<<"$output")" '{"kind":"cpu","why":"stubborn sets are made by the processor"}'
  tideline explore kanban.pnml --device emulated --order dfs --json
  equals "$(jq -c .device <<<"$output")" '{"kind":"cpu","why":"the order is not breadth-first"}'
}

# many FILE N: a token that N transitions move between 90 places.
many () {
  awk -v n="$2" 'BEGIN {
    print "net many\npl p0 (1)"
    for (i = 0; i < n; i++)
      print "tr t" i " p" i % 90 " -> p" (i * 7 + int (i / 90) % 3 + 1) % 90
  }' >"$1"
}

@test "thousands of transitions on a device, and how many are too many" {
  many most.net 8192
  many more.net 8193
  expected=$("$TIDELINE" explore most.net --threads 1 --json | figures)
  equals "$(jq -c '.[1:3]' <<<"$expected")" "[90,8192]"
  tideline explore most.net --device emulated --json
  equals "$(figures <<<"$output")" "$expected"
  equals "$(jq -r .device.kind <<<"$output")" emulated
  tideline explore more.net --device emulated --json
  equals "$(jq -r .device.kind <<<"$output")" cpu
  equals "$(jq -r .device.why <<<"$output")" "the net has too many transitions"
}

@test "without a GPU it says so" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  if ldconfig -p | grep -q libcuda.so.1; then skip "there is a GPU"; fi
  tideline explore kanban.pnml --device gpu
  equals "$status" 2
  equals "$stderr" "tideline: no GPU can be used: there is no driver of a GPU (libcuda.so.1)"
  tideline explore kanban.pnml --device auto
  equals "$status" 0
}

# A driver that fails after some calls: each failure is told, and the processor
# makes the search.
@test "a driver that fails in the middle" {
  if ldconfig -p | grep -q libcuda.so.1; then skip "there is a GPU"; fi
  "$TIDELINE" example kanban 2 -o kanban.pnml
  cc -shared -fPIC -o libcuda.so.1 "$BATS_TEST_DIRNAME/failing_driver.c"
  cp libcuda.so.1 libnvrtc.so.13
  for calls in 0 1 2 3 5 8 13 20 30; do
    LD_LIBRARY_PATH=$PWD FAIL_AFTER=$calls tideline explore kanban.pnml --device gpu --json
    case $status in
    0) equals "$(jq -c '[.states, .device.kind]' <<<"$output")" '[4600,"cpu"]' ;;
    2) contains "$stderr" "no GPU can be used: the driver of the GPU: no more" ;;
    *) false ;;
    esac
  done
  LD_LIBRARY_PATH=$PWD FAIL_AFTER=20 tideline explore kanban.pnml --device gpu
  contains "$output" "the processor: "
}

# Eight places in a row, of which a file says wrongly that each holds one token at most.
wrong_units () {
  local p before=p0
  echo '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"'
  echo 'type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g"><place id="p0">'
  echo '<initialMarking><text>2</text></initialMarking></place>'
  for p in p1 p2 p3 p4 p5 p6 p7 p8; do
    echo "<place id='$p'/><transition id='to_$p'/><arc id='in_$p' source='$before' target='to_$p'/>"
    echo "<arc id='out_$p' source='to_$p' target='$p'/>"
    before=$p
  done
  echo '<toolspecific tool="nupn" version="1.1"><structure units="1" root="u" safe="true">'
  echo '<unit id="u"><places>p0 p1 p2 p3 p4 p5 p6 p7 p8</places><subunits/></unit></structure>'
  echo '</toolspecific></page></net></pnml>'
}

@test "where places outgrow their fields again and again the processor begins anew" {
  wrong_units >wrong.pnml
  for store in auto table plain tree; do
    tideline explore wrong.pnml --device emulated --store $store --json
    equals "$status" 0
    equals "$(jq -c '[.states, .complete, .device.kind, .device.why]' <<<"$output")" \
      '[45,true,"cpu","places outgrow their fields"]'
  done
}
