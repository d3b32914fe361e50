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
  run -3 "$TIDELINE" explore kanban.pnml --certificate k.tlc --max-states 10
  [[ "$output" == *"k.tlc: not written, the exploration is incomplete"* ]]
  [ ! -e k.tlc ]
  run -2 "$TIDELINE" explore kanban.pnml --certificate /none/k.tlc
}
