# Formulas as people type them, and files of them.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  small_model
}

verdicts () { "$TIDELINE" check "$@" -q; }

@test "a file of formulas, with names and comments" {
  cat >f.txt <<'END'
# two of them may not eat at once
mutex: AG eating_1 + eating_2 <= 1

deadlock-free
  again : EF eating_1 = 1
home 'eating_1 = 1'
END
  expected=$'true      mutex\nfalse     deadlock-free\ntrue      again\nfalse     home \'eating_1 = 1\''
  equals "$(verdicts small.pnml @f.txt)" "$expected"
  equals "$(verdicts small.pnml --formulas f.txt)" "$expected"
  equals "$(verdicts small.pnml live @f.txt --formulas f.txt | wc -l)" 9
  tideline check small.pnml @f.txt --json
  equals "$(jq -r '.properties[0] | .name + " " + .formula' <<<"$output")" "mutex AG (eating_1 + eating_2 <= 1)"
  : >empty
  fails 2 "nothing to check: there is no question" check small.pnml @empty
  fails 2 "missing: cannot open: No such file or directory" check small.pnml @missing
}

@test "what is wrong in a file of formulas is shown" {
  printf '# x\n\nfirst: TRUE\n second:  EF foo = 1\n' >f.txt
  fails 2 "f.txt:4: unknown place 'foo' (column 14)" check small.pnml @f.txt
  contains "$stderr" $'\n   second:  EF foo = 1\n               ^'
  printf 'both: TRUE; FALSE\n' >f.txt
  fails 2 "f.txt:1: a name stands for one question, not for 2 (column 1)" check small.pnml @f.txt
  printf 'deadlok\n' >f.txt
  fails 2 "f.txt:1: there is no property 'deadlok'; did you mean 'deadlock'? (column 1)" check small.pnml @f.txt
}

@test "which formula is wrong" {
  fails 2 "formula 2:1: unknown place 'x' (column 4)" check small.pnml deadlock 'EF x = 1' live
  contains "$stderr" $'\n  EF x = 1\n     ^'
}

@test "formulas that the shell has cut into words" {
  equals "$(verdicts small.pnml live EF eating_1 '>=' 1 deadlock)" \
    $'false     live\ntrue      EF eating_1 >= 1\ntrue      deadlock'
  equals "$(verdicts small.pnml eating_1 = 0)" "true      eating_1 = 0"
  fails 2 "formula 1:1: unknown place 'eatin_1'; did you mean 'eating_1'? (column 4)" check small.pnml EF eatin_1 = 1
  contains "$stderr" "a formula of several words needs quotes"
}

@test "names of properties" {
  equals "$(verdicts small.pnml safe liveness quasi-liveness bounded)" \
    $'true      one-safe\nfalse     live\ntrue      quasi-live\ntrue      bounded'
  fails 2 "formula:1: there is no property 'deadlok'; did you mean 'deadlock'? (column 1)" check small.pnml deadlok
  tideline check small.pnml deadlock-free
  equals "$status" 1
  contains "$output" $'false     deadlock-free\n          a dead marking can be reached\n'
  tideline check small.pnml deadlock
  equals "$status" 0
  contains "$output" $'true      deadlock\n          a dead marking can be reached: not deadlock-free\n'
  tideline check small.pnml deadlock-free --stubborn deadlock -q
  equals "$status" 1
}

@test "a name of one's own does not say what the property of that name says" {
  echo 'live: EF eating_1 = 1' >f.txt
  tideline check small.pnml @f.txt
  contains "$output" $'true      live\n          EF (eating_1 = 1)\n'
}

@test "whether there is a bound" {
  printf 'net ub\ntr put idle -> idle a\ntr get a -> \npl idle (1)\n' >ub.net
  tideline check ub.net bounded 'AG idle < oo' 'AG a < oo' --json
  equals "$status" 1
  equals "$(jq -c '[.properties[].verdict]' <<<"$output")" '["false","true","false"]'
  equals "$(jq -c '.properties[0].trace.kind' <<<"$output")" '"lasso"'
  "$TIDELINE" graph small.pnml -o small.tlg
  equals "$(verdicts small.tlg bounded)" "true      bounded"
}

@test "a warning where parentheses may have been forgotten" {
  tideline check small.pnml 'EF eating_1 = 1 & eating_2 = 1' -q
  equals "$stderr" "tideline: warning: in 'EF eating_1 = 1 & eating_2 = 1' EF ends before '&'; parentheses say whether all of it was meant"
  equals "$output" "false     EF eating_1 = 1 & eating_2 = 1"
}

@test "a colour that never holds a token is 0" {
  "$TIDELINE" example dbm 4 -o dbm.lna
  equals "$(verdicts dbm.lna 'AG "sent(1,1)" = 0' 'EF "sent(1,2)" + "sent(1,1)" = 1')" \
    $'true      AG "sent(1,1)" = 0\ntrue      EF "sent(1,2)" + "sent(1,1)" = 1'
  for wrong in 'sent(1,4)' 'sent(1)' 'sent(1,1,1)' 'sent(1,x)' 'sent(1,-1)' 'sent(1,1))'; do
    tideline check dbm.lna "\"$wrong\" = 0"
    equals "$status" 2
    contains "$stderr" "unknown place '$wrong'"
    tideline check dbm.lna "\"$wrong\" = 0" --no-unfold
    contains "$stderr" "unknown place '$wrong'"
  done
  # There it is said why nobody knows.
  fails 2 "formula:1: 'sent(1,1)' is not counted by itself where the net is not unfolded, only all of 'sent' is (column 4)" \
    check dbm.lna 'AG "sent(1,1)" = 0' --no-unfold
}

@test "the properties beside a net of Helena are asked" {
  "$TIDELINE" example leader 3 --format lna -o leader.lna
  fails 2 "nothing to check: give a formula, a name such as deadlock, or --mcc FILE" check leader.lna
  cat >leader.lna <<'END'
n (N := 2) {
  type t : range 0 .. N;
  place p { dom : t; init : <( 0 )>; }
  transition up { in { p : <( x )>; } out { p : <( x + 1 )>; } guard : x < t (N); }
  proposition full : exists (k in p | k->1 = t (N));
}
END
  printf 'ltl property rises: <> full;\nltl property stays: [] full;\n' >leader.prop.lna
  tideline check leader.lna -q
  equals "$output" $'true      rises\nfalse     stays'
  equals "$(verdicts leader.lna deadlock)" "true      deadlock"
}
