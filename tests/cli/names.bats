# Names of places and transitions, beside their ids.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  cat >order.pnml <<'PNML'
<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<name><text>Orders &amp; more</text></name><page id="g">
<place id="p1"><name><text>order received</text></name>
<initialMarking><text>1</text></initialMarking></place>
<place id="p2"><name><text>twin</text></name></place>
<place id="p3"><name><text>twin</text></name></place>
<place id="p4"><name><text>p2</text></name></place>
<transition id="t1"><name><text>accept</text></name></transition>
<transition id="t2"><name><text>never</text></name></transition>
<arc id="a1" source="p1" target="t1"/><arc id="a2" source="t1" target="p2"/>
<arc id="a3" source="t1" target="p4"/>
<arc id="a4" source="p3" target="t2"/></page></net></pnml>
PNML
}

@test "formulas take a name where it is that of one place only, else its id" {
  tideline check order.pnml 'EF "order received" = 0' 'EF (p2 = 1 AND p1 = 0)' 'EF FIREABLE(accept)' -q
  equals "$status" 0
  fails 2 "formula:1: several places have the name 'twin'; take an id (column 4)" check order.pnml 'EF twin = 1'
  # p2 is an id: the place of that name does not count
  equals "$("$TIDELINE" check order.pnml 'AG (p2 = 0)' --json | jq -c '.properties[0] | [.formula, .verdict]')" \
    '["AG (p2 = 0)","false"]'
}

@test "contest files mean ids only" {
  for id in p1 'order received'; do
    cat >asks.xml <<XML
<property-set xmlns="http://mcc.lip6.fr/"><property><id>x</id><description/><formula><exists-path><finally>
<integer-le><tokens-count><place>$id</place></tokens-count><integer-constant>0</integer-constant></integer-le>
</finally></exists-path></formula></property></property-set>
XML
    tideline check order.pnml --mcc asks.xml
    if [ "$id" = p1 ]; then
      equals "${output%% TECH*}" "FORMULA x TRUE"
    else
      equals "$status" 2
    fi
  done
}

@test "people see names, programs ids, and --labels decides" {
  tideline explore order.pnml
  contains "$output" "dead transitions  1
                  never"
  contains "$output" "  accept"
  tideline explore order.pnml --labels id --markings changed
  contains "$output" "  t1  p1: 1->0 p2: 0->1 p4: 0->1"
  tideline explore order.pnml --labels name --markings changed
  contains "$output" "  accept  order received: 1->0 p2: 0->1 p4: 0->1"
  equals "$("$TIDELINE" explore order.pnml --json | jq -c '[.deadlock_trace.transitions, .dead_transition_ids]')" \
    '[["t1"],["t2"]]'
  equals "$("$TIDELINE" explore order.pnml --json --labels name | jq -c '[.deadlock_trace.transitions, .dead_transition_ids]')" \
    '[["accept"],["never"]]'
  "$TIDELINE" explore order.pnml --trace ids -q >/dev/null
  equals "$(grep -v '^#' ids)" t1
  "$TIDELINE" explore order.pnml --trace names --labels name -q >/dev/null
  equals "$(grep -v '^#' names)" accept
  tideline check order.pnml bounds live
  contains "$output" "1         order received
          MAX(p1)"
  contains "$output" "dead from some marking on: never"
  fails 2 "--labels: there is no kind of labels 'both'; --labels=help lists them" explore order.pnml --labels both
}

@test "PNML to PNML keeps the names" {
  "$TIDELINE" convert order.pnml -o again.pnml
  for name in 'order received' twin p2 accept never 'Orders &amp; more'; do
    contains "$(cat again.pnml)" "<name><text>$name</text></name>"
  done
  equals "$(grep -c '<text>twin</text>' again.pnml)" 2
  mkdir folder
  "$TIDELINE" convert again.pnml -o folder/again.pnml
  "$TIDELINE" convert folder/again.pnml -o third.pnml
  cmp folder/again.pnml third.pnml
}

@test "names of coloured nets, unfolded or not, and in saved graphs" {
  cat >coloured.pnml <<'PNML'
<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations><namedsort id="c" name="c"><cyclicenumeration>
<feconstant id="x1" name="1"/><feconstant id="x2" name="2"/></cyclicenumeration></namedsort>
<variabledecl id="v" name="v"><usersort declaration="c"/></variabledecl></declarations></structure></declaration>
<page id="g">
<place id="p"><name><text>waiting</text></name><type><structure><usersort declaration="c"/></structure></type>
<hlinitialMarking><structure><all><usersort declaration="c"/></all></structure></hlinitialMarking></place>
<place id="q"><name><text>done</text></name><type><structure><usersort declaration="c"/></structure></type></place>
<transition id="t"><name><text>go</text></name></transition>
<arc id="a" source="p" target="t"><hlinscription><structure><numberof><subterm><numberconstant value="1"><positive/></numberconstant></subterm><subterm><variable refvariable="v"/></subterm></numberof></structure></hlinscription></arc>
<arc id="b" source="t" target="q"><hlinscription><structure><numberof><subterm><numberconstant value="1"><positive/></numberconstant></subterm><subterm><variable refvariable="v"/></subterm></numberof></structure></hlinscription></arc>
</page></net></pnml>
PNML
  "$TIDELINE" graph coloured.pnml -o unfolded.tlg
  "$TIDELINE" graph coloured.pnml --as-it-is -o folded.tlg
  for model in coloured.pnml 'coloured.pnml --as-it-is' unfolded.tlg folded.tlg; do
    # shellcheck disable=SC2086
    tideline check $model 'EF done = 2'
    contains "$output" "go {v="
    # shellcheck disable=SC2086
    tideline check $model 'EF done = 2' --json
    contains "$output" '"transitions":["t {v='
    # shellcheck disable=SC2086
    tideline check $model 'EF done = 2' --json --labels name
    contains "$output" '"transitions":["go {v='
  done
}

@test "graphs: pictures have names, the Aldebaran format ids" {
  contains "$("$TIDELINE" graph order.pnml --aut)" '(0,"t1",1)'
  contains "$("$TIDELINE" graph order.pnml --aut --labels name)" '(0,"accept",1)'
  contains "$("$TIDELINE" graph order.pnml --dot)" 'label="order received"'
  contains "$("$TIDELINE" graph order.pnml --dot)" 'label="accept"'
  contains "$("$TIDELINE" graph order.pnml --dot --labels id)" 'label="p1"'
  contains "$("$TIDELINE" graph order.pnml --dot --labels id)" 'label="t1"'
  contains "$("$TIDELINE" graph order.pnml --states --labels name)" '0	order received'
  contains "$("$TIDELINE" graph order.pnml --state 0)" "to 1 by accept  order received: 1->0"
}
