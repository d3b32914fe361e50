# Which places and transitions an answer is about.
load common

# Two of its transitions never fire, the one for lack of tokens, the other
# because it is inhibited; `sink` gets two tokens and `keep` stays as it is.
setup () {
  cd "$BATS_TEST_TMPDIR" || return
  cat >odd.net <<'NET'
net odd
tr a p -> q
tr b q -> p
tr hungry p*2 -> q
tr kept_out p keep?-1 -> q
tr out q -> sink*2
pl p (1)
pl keep (1)
NET
  cat >odd.lna <<'LNA'
odd {
  type num : range 0 .. 3;
  place p { dom : num; init : <( 1 )>; }
  place q { dom : num; }
  place keep { dom : num; init : <( 2 )>; }
  place sink { dom : num; }
  transition a { in { p : <( x )>; } out { q : <( x )>; } }
  transition b { in { q : <( x )>; } out { p : <( x )>; } }
  transition hungry { in { p : <( x )> + <( y )>; } out { q : <( x )>; } }
  transition leave { in { q : <( x )>; } out { sink : <( x )> + <( 0 )>; } }
}
LNA
}

# named QUESTION FILE OPTION...: what its answer names, in JSON
named () {
  "$TIDELINE" check "$2" "$1" --json "${@:3}" |
    jq -c '.properties[0] | [.verdict] + (.transitions // []) + (.places // [])'
}

@test "explore names dead transitions" {
  tideline explore odd.net
  contains "$output" "dead transitions  2
                  hungry kept_out
most tokens"
  equals "$("$TIDELINE" explore odd.net --json | jq -c '[.dead_transitions, .dead_transition_ids]')" \
    '[2,["hungry","kept_out"]]'
  equals "$("$TIDELINE" explore odd.net --json --max-states 2 | jq -c '[.dead_transitions, .dead_transition_ids]')" \
    '[null,null]'
  equals "$("$TIDELINE" explore odd.lna --json | jq -c .dead_transition_ids)" '["hungry"]'
  equals "$("$TIDELINE" explore odd.lna --as-it-is --json | jq -c .dead_transition_ids)" '["hungry"]'
}

@test "of many the first ten are shown, and how many more there are" {
  { echo "net many"; for i in $(seq 13); do echo "tr t$i p*2 -> q"; done; echo "pl p (1)"; } >many.net
  tideline explore many.net
  contains "$output" "t1 t2 t3 t4 t5 t6 t7 t8 t9 t10
                  ... and 3 more; --json has all of them"
  equals "$("$TIDELINE" explore many.net --json | jq '.dead_transition_ids | length')" 13
  tideline check many.net quasi-live
  contains "$output" "never enabled: t1 t2 t3"
  equals "$("$TIDELINE" check many.net quasi-live --json | jq '.properties[0].transitions | length')" 13
}

@test "quasi-live names what never fires, live what is dead in the end" {
  equals "$(named quasi-live odd.net)" '["false","hungry","kept_out"]'
  equals "$(named live odd.net)" '["false","hungry","kept_out"]'
  sed -i '/^tr hungry/d; /^tr kept_out/d' odd.net
  equals "$(named quasi-live odd.net)" '["true"]'
  equals "$(named live odd.net)" '["false","a","b","out"]'
  tideline check odd.net live
  contains "$output" "dead from some marking on: a b out"
}

@test "one-safe names places of the marking shown, stable-marking what stays" {
  equals "$(named one-safe odd.net)" '["false","sink"]'
  equals "$(named stable-marking odd.net)" '["true","keep"]'
  tideline check odd.net one-safe stable-marking
  contains "$output" "            a out
          with several tokens there: sink"
  contains "$output" "never changed: keep"
  printf 'net grows\ntr put p -> p q r*2\npl p (1)\n' >grows.net
  equals "$(named one-safe grows.net)" '["false","q","r"]'
}

@test "the same of a coloured net, unfolded or not, and of saved graphs" {
  "$TIDELINE" graph odd.net -o odd.tlg
  equals "$(named one-safe odd.tlg)" '["false","sink"]'
  "$TIDELINE" graph odd.lna --as-it-is -o coloured.tlg
  for how in "odd.lna" "odd.lna --as-it-is" "coloured.tlg"; do
    # shellcheck disable=SC2086
    set -- $how
    equals "$(named quasi-live "$@")" '["false","hungry"]'
    equals "$(named one-safe "$@")" '["false","sink"]'
    equals "$(named stable-marking "$@")" '["true","keep"]'
  done
  sed -i '/transition hungry/d' odd.lna
  "$TIDELINE" graph odd.lna --as-it-is -o coloured.tlg
  for how in "odd.lna" "odd.lna --as-it-is" "coloured.tlg"; do
    # shellcheck disable=SC2086
    set -- $how
    equals "$(named live "$@")" '["false","a","b","leave"]'
  done
}
