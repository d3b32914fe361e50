load common

# Coloured nets that run as they are, without being unfolded.

# Two philosophers who take both forks one after the other.
table_net () {
  cat <<'LNA'
table (N := 2) {
  type phil : mod N;
  place idle { dom : phil; init : for (p in phil) <( p )>; capacity : 1; }
  place one { dom : phil; capacity : 1; }
  place two { dom : phil; capacity : 1; }
  place fork { dom : phil; init : for (p in phil) <( p )>; capacity : 1; }
  transition left {
    in { idle : <( p )>; fork : <( p )>; }
    out { one : <( p )>; }
  }
  transition right {
    in { one : <( p )>; fork : <( p + 1 )>; }
    out { two : <( p )>; }
  }
  transition leave {
    in { two : <( p )>; }
    out { idle : <( p )>; fork : <( p )> + <( p + 1 )>; }
  }
  proposition eating : exists (t in two | t->1 = phil (0));
}
LNA
}

# verdicts WORD...: those that check gives.
verdicts () {
  tideline check "$@" --json
  jq -c '[.properties[].verdict]' <<<"$output"
}

@test "the same answers unfolded, as it is, and from its graph" {
  table_net >table.lna
  local ask=('AG AF eating' 'EF (eating AND EX NOT eating)' 'A (F eating)' 'E (G (one = 0 OR F two = 1))'
    'AG (eating -> A (eating U NOT eating))' 'AG EF FIREABLE(left)' deadlock live home-state quasi-live
    one-safe 'AG (idle + one + two = 3)')
  local expected='["false","true","false","true","true","false","true","false","true","true","false","true"]'
  equals "$(verdicts table.lna -D N=3 "${ask[@]}")" "$expected"
  equals "$(verdicts table.lna -D N=3 --as-it-is "${ask[@]}")" "$expected"
  tideline graph table.lna -D N=3 --as-it-is -o table.tlg
  equals "$status" 0
  equals "$(verdicts table.tlg "${ask[@]}")" "$expected"
  tideline check table.tlg deadlock --json
  equals "$(jq -c '.properties[0].trace.transitions' <<<"$output")" \
    '["left {p=0}","left {p=1}","left {p=2}"]'
}

@test "graphs of nets that run as they are" {
  table_net >table.lna
  tideline graph table.lna --as-it-is --aut
  equals "$status" 0
  local arcs=$output
  equals "${lines[0]}" "des (0,8,6)"
  contains "$output" '(0,"left {p=0}",1)'
  tideline graph table.lna --as-it-is -o table.tlg
  tideline graph table.tlg --aut
  equals "$output" "$arcs"
  tideline graph table.tlg --dot
  contains "$output" 'label="right {p=1}"'
  tideline graph table.tlg --path 3
  contains "$output" "left {p=0}"
  tideline graph table.tlg --stats --json
  equals "$(jq -c '[.states, .arcs]' <<<"$output")" "[6,8]"
  fails 2 "the published layout needs arcs: table runs as it is, without being unfolded" \
    graph table.tlg --published
  # the text in the file is read as any text, with the parameters of that time
  tideline explore table.tlg --json
  equals "$(jq -c '[.states, .format]' <<<"$output")" '[6,"lna"]'
}

@test "the graph of a symmetric net from standard input" {
  cat >round.pnml <<'PNML'
<pnml><net id="round" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><page id="g">
<place id="p"><type><structure><usersort declaration="I"/></structure></type>
  <hlinitialMarking><structure><useroperator declaration="a"/></structure></hlinitialMarking></place>
<transition id="go"/>
<arc id="a1" source="p" target="go"><hlinscription><structure><variable refvariable="i"/></structure></hlinscription></arc>
<arc id="a2" source="go" target="p"><hlinscription><structure><successor>
  <subterm><variable refvariable="i"/></subterm></successor></structure></hlinscription></arc>
</page><declaration><structure><declarations>
<namedsort id="I" name="I"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/>
  <feconstant id="c" name="c"/></cyclicenumeration></namedsort>
<variabledecl id="i" name="i"><usersort declaration="I"/></variabledecl>
</declarations></structure></declaration></net></pnml>
PNML
  tideline graph - --as-it-is -o round.tlg <round.pnml
  equals "$status" 0
  equals "$(verdicts round.tlg live home-state deadlock 'AG p = 1')" '["true","true","false","true"]'
  tideline graph round.tlg --path 2
  contains "$output" "$(printf 'go {i=a}\ngo {i=b}')"
}

@test "a graph file with a net that is damaged" {
  table_net >table.lna
  tideline graph table.lna --as-it-is -o table.tlg
  sed 's/phil : mod/phil : mud/' table.tlg >bad.tlg
  fails 2 "bad.tlg: the file is damaged" check bad.tlg deadlock
}
