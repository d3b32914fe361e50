load common

# pack FILE...: beside each its packed forms.
pack () {
  gzip -kf "$@"
  xz -kf "$@"
  zstd -qkf "$@"
}

@test "packed nets of every format are read as what is in them" {
  local net format
  for format in pnml lola net lna; do
    "$TIDELINE" example dining 3 -o dining.$format
    pack dining.$format
    tideline explore dining.$format --json
    net=$(jq -c '[.model, .format, .states, .arcs]' <<<"$output")
    for ending in gz xz zst; do
      tideline explore dining.$format.$ending --json
      equals "$(jq -c '[.model, .format, .states, .arcs]' <<<"$output")" "$net"
    done
  done
  tideline info - <dining.pnml.xz
  equals "$status" 0
}

@test "packed files of more than a block, and several in one" {
  "$TIDELINE" example philosophers 4000 -o large.pnml
  pack large.pnml
  "$TIDELINE" convert large.pnml -o large.lola
  for ending in gz xz zst; do
    "$TIDELINE" convert large.pnml.$ending -o unpacked.lola
    cmp large.lola unpacked.lola
  done
  for with in gzip xz "zstd -q"; do
    { head -c 70000 large.pnml | $with -c; tail -c +70001 large.pnml | $with -c; } >large
    "$TIDELINE" convert large -o parts.lola
    cmp large.lola parts.lola
  done
}

@test "packed questions" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  echo 'EF done_1 = 2' >questions.txt
  pack questions.txt
  for ending in gz xz zst; do
    tideline check kanban.pnml --formulas questions.txt.$ending
    contains "$output" "true"
  done
}

@test "packed files that are damaged or cut off" {
  "$TIDELINE" example kanban 3 -o kanban.pnml
  pack kanban.pnml
  for ending in gz xz zst; do
    local size=$(stat -c %s kanban.pnml.$ending) cut
    for cut in 12 $((size / 2)) $((size - 9)) $((size - 1)); do
      head -c $cut kanban.pnml.$ending >cut.$ending
      fails 2 "cut.$ending: the packed file is damaged or cut off" info cut.$ending
    done
    { head -c $((size / 2)) kanban.pnml.$ending; printf '\377\376\375'
      tail -c +$((size / 2 + 4)) kanban.pnml.$ending; } >bad.$ending
    tideline info bad.$ending
    equals "$status" 2
  done
}

@test "what unpacking takes is inside the budget" {
  "$TIDELINE" example kanban 3 -o kanban.pnml
  xz -9kf kanban.pnml
  tideline info kanban.pnml.xz --memory 3M
  equals "$status" 3
  contains "$output" "the memory budget was reached while reading the net"
}

@test "known formats that are not read are named" {
  echo 'gal x { }' >x.gal
  fails 2 "x.gal:1: by its name this is a model of ITS-Tools in its language GAL, which is not read; tideline reads PNML, LoLA, TINA, TAPAAL, GreatSPN and Helena nets" info x.gal
}

@test "the type of an arc may be an attribute" {
  "$TIDELINE" example kanban 1 -o kanban.pnml
  awk '/<arc / && !seen { sub (/<arc /, "<arc type=\"transport\" "); seen = 1 } 1' kanban.pnml >other.pnml
  contains "$("$TIDELINE" info other.pnml 2>&1)" "arcs of type 'transport' are not known"
}
