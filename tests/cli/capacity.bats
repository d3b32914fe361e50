# Places of a coloured net over their capacity: an error of the model.
load common

# net FACTOR CAPACITY ARC: writes net.lna.
net () {
  cat >net.lna <<EOF
over {
  type id: range 1 .. 2;
  place a { dom: id; init: for (i in id) $1 <( i )>; }
  place b { dom: id; capacity: $2; }
  transition go { in { a: <( x )>; } out { $3 b: <( x )>; } }
}
EOF
}

@test "a place that gets too many tokens ends the search, with a trace" {
  net "" 2 "a: <( x )>;"
  for order in bfs dfs; do
    tideline explore net.lna --order $order
    equals "$status" 2
    contains "$stderr" "gets 3 tokens of one value, and its capacity is 2"
    contains "$stderr" "3 transitions"
  done
  for formula in 'EF b >= 7' 'AF b >= 7' 'A F G b >= 7'; do
    tideline check net.lna "$formula"
    equals "$status" 2
    contains "$stderr" "capacity exceeded: place b("
  done
}

@test "too many tokens in the initial marking" {
  net "2 *" 2 ""
  tideline explore net.lna
  equals "$status" 2
  contains "$stderr" "place a(1) gets 2 tokens of one value"
  contains "$stderr" "in the initial marking"
}

@test "a capacity that is kept" {
  net "" 1 ""
  tideline explore net.lna --json
  equals "$status" 0
  equals "$(jq .states <<<"$output")" 4
}

@test "where capacities are kept by the structure of the net, that decides as in other nets" {
  "$TIDELINE" example dining 60 -o dining.lna
  tideline check dining.lna deadlock 'AG chairs <= 59' --timeout 60 --json
  equals "$(jq -c '[.properties[] | .verdict, .engine]' <<<"$output")" '["false","structure","true","structure"]'
  tideline convert dining.lna --reduce 'EF chairs = 0' --format tina
  equals "$status" 0
  equals "$(grep -c '^tr' <<<"$output")" 120
}
