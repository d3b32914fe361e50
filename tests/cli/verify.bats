#!/usr/bin/env bats
# Certificates: explore --certificate, and verify.

load common

setup () {
  cd "$BATS_TEST_TMPDIR"
  "$TIDELINE" example kanban 2 -o kanban.pnml
}

@test "a certificate is verified, and says what explore says" {
  run -0 "$TIDELINE" explore kanban.pnml --certificate k.tlc --json --threads 2
  states=$(jq .states <<<"$output")
  [ "$states" = 4600 ]
  [ "$(jq .certificate_bytes <<<"$output")" = "$(stat -c %s k.tlc)" ]
  run -0 "$TIDELINE" verify k.tlc --json
  [ "$(jq -c '[.model, .verified, .states, .arcs, .deadlocks, .depth]' <<<"$output")" = \
    '["kanban",true,4600,28120,0,28]' ]
  run -0 "$TIDELINE" verify k.tlc kanban.pnml --quiet
  [[ "$output" == "certificate       verified"*"states            4,600"* ]]
}

@test "a certificate of another net is refused" {
  "$TIDELINE" explore kanban.pnml --certificate k.tlc --quiet
  "$TIDELINE" example kanban 3 -o other.pnml
  run -1 "$TIDELINE" verify k.tlc other.pnml --quiet
  [[ "$output" == *"refused: it is about another net: place "* ]]
  run -1 --separate-stderr "$TIDELINE" verify k.tlc other.pnml --json
  [ "$(jq .verified <<<"$output")" = false ]
}

@test "what is not a certificate is refused" {
  run -2 "$TIDELINE" verify kanban.pnml
  [[ "$output" == "tideline: kanban.pnml: this is not a certificate written by tideline" ]]
  run -2 "$TIDELINE" verify none
  run -2 "$TIDELINE" verify .
  run -2 "$TIDELINE" verify
  "$TIDELINE" explore kanban.pnml --certificate k.tlc --quiet
  head -c 500 k.tlc >cut.tlc
  run -2 "$TIDELINE" verify cut.tlc
  [[ "$output" == "tideline: cut.tlc: the file is cut off" ]]
  printf x >>k.tlc
  run -2 "$TIDELINE" verify k.tlc
  [[ "$output" == *"there is something behind the end of the file" ]]
}

@test "searches that give no certificate say so" {
  run -2 "$TIDELINE" explore kanban.pnml --certificate k.tlc --order sweep
  [[ "$output" == *"certificates need the order bfs"* ]]
  run -2 "$TIDELINE" explore kanban.pnml --certificate k.tlc --disk .
  [[ "$output" == *"a search with its states on disk has no certificate"* ]]
  run -3 "$TIDELINE" explore kanban.pnml --certificate k.tlc --max-states 10
  [[ "$output" == *"k.tlc: not written, the exploration is incomplete"* ]]
  [ ! -e k.tlc ]
  run -2 "$TIDELINE" explore kanban.pnml --certificate /none/k.tlc
}

@test "answers are certified, and verified" {
  "$TIDELINE" example dining 5 -o dining.pnml
  run -1 "$TIDELINE" check dining.pnml --certificate d.tlc --json deadlock \
    'AG (eating_1 + eating_2 <= 1)' 'MAX(chairs)' 'EF eating_1 = 1' quasi-live bounded
  [ "$(jq -c '[.properties[].certified]' <<<"$output")" = \
    '["invariants","invariants","invariants and a run","a run","a run","invariants"]' ]
  [ "$(jq .certificate_bytes <<<"$output")" = "$(stat -c %s d.tlc)" ]
  run -0 "$TIDELINE" verify d.tlc dining.pnml --json
  [ "$(jq -c '[.answers[].verdict]' <<<"$output")" = \
    '["false","true","true","true","true","true"]' ]
  [ "$(jq -c '.answers[2] | [.formula, .value]' <<<"$output")" = '["MAX(chairs)",4]' ]
  [ "$(jq .states <<<"$output")" = null ]
  run -1 "$TIDELINE" verify d.tlc kanban.pnml --quiet
  [[ "$output" == *"refused: it is about another net"* ]]
}

@test "answers that need all states have these in the file" {
  cat >net.net <<'NET'
tr a p -> q
tr b q*2 -> r
tr c r -> p*2
tr d p q r -> s
pl p (3)
NET
  run -0 "$TIDELINE" check net.net --certificate c.tlc 'NOT EF (p = 2 AND q = 0 AND r = 0 AND s = 1)'
  [[ "$output" == *"certified by "* ]]
  run -0 "$TIDELINE" verify c.tlc net.net --quiet
  [[ "$output" == *"certificate       verified"* ]]
}

@test "answers without a certificate say so" {
  run -3 "$TIDELINE" check kanban.pnml --certificate k.tlc 'AG EF card_1 >= 1' deadlock
  [[ "$output" == *"not certified: it is about runs, not about single markings"* ]]
  [[ "$output" == *"certificate       "*", 1 of 2 answers"* ]]
  run -0 "$TIDELINE" verify k.tlc
  rm k.tlc
  run -3 "$TIDELINE" check kanban.pnml --certificate k.tlc live
  [[ "$output" == *"k.tlc: not written, no answer is certified"* ]]
  [ ! -e k.tlc ]
  run -2 "$TIDELINE" check kanban.pnml --certificate /none/k.tlc deadlock
}
