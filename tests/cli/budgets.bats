# Budgets hold before a search begins, too: small files that ask for much.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  # 2 * 10^9 tokens
  echo 'n { type t : range 0 .. 2000000000;
    place p { dom : t; init : for (i in t) <( i )>; } }' >tokens.lna
  # 10^8 tokens
  cat >product.pnml <<'XML'
<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations>
<namedsort id="s" name="s"><finiteintrange start="0" end="9999"/></namedsort>
<namedsort id="ss" name="ss"><productsort><usersort declaration="s"/>
<usersort declaration="s"/></productsort></namedsort>
</declarations></structure></declaration>
<page id="g"><place id="p"><type><structure><usersort declaration="ss"/></structure></type>
<hlinitialMarking><structure><tuple>
<subterm><all><usersort declaration="s"/></all></subterm>
<subterm><all><usersort declaration="s"/></all></subterm>
</tuple></structure></hlinitialMarking></place></page></net></pnml>
XML
  # 2.7 * 10^10 values to try, none of which fits
  echo 'n { type t : range 0 .. 3000; place p { dom : t; init : <( 0 )>; }
    transition a { in { p : <( x )>; } out { p : <( x )>; }
      pick { i in t; j in t; k in t; } guard : i + j + k = 100000; } }' >picks.lna
  # 10^24 tokens to be put by one binding
  echo 'n { type t : range 0 .. 99; place p { dom : t; init : <( 0 )>; }
    place q { dom : t*t*t*t*t*t*t*t*t*t*t*t; }
    transition a { in { p : <( x )>; }
      out { q : for (a in t, b in t, c in t, d in t, e in t, f in t, g in t, h in t,
                     i in t, j in t, k in t, l in t)
                <( a, b, c, d, e, f, g, h, i, j, k, l )>; } } }' >puts.lna
  echo 'n { function f (int n) -> int { int s := 0; while (s >= 0) s := 1; return s; }
    place p { dom : int; init : <( f (1) )>; } }' >endless.lna
}

# soon WORD...: ends with exit code 3, and not much later than it was told.
soon () {
  local start=$SECONDS
  run --separate-stderr timeout -s KILL 60 "$TIDELINE" "$@"
  equals "$status" 3
  [ $((SECONDS - start)) -le 15 ] || { echo "$((SECONDS - start)) seconds"; return 1; }
}

@test "time, while a net is read or its bindings are looked for" {
  for net in tokens.lna product.pnml picks.lna puts.lna endless.lna; do
    soon explore $net --timeout 0.4
    contains "$output" "INCOMPLETE: the time limit was reached"
    soon check $net deadlock --timeout 0.4 --as-it-is
    contains "$output" "INCOMPLETE"
  done
  soon explore tokens.lna --timeout 0.4 --json
  equals "$(jq -c '[.complete, .stopped, .model]' <<<"$output")" '[false,"time","tokens.lna"]'
  contains "$stderr" "tokens.lna: the time limit was reached while finding the initial marking"
  soon explore tokens.lna --timeout 0.4 --mcc
  equals "$output" CANNOT_COMPUTE
}

@test "time, for commands that search nothing" {
  for net in tokens.lna product.pnml; do
    soon info $net --timeout 0.4
    soon convert $net -o out.net --timeout 0.4
    soon progress $net --timeout 0.4
    [ ! -e out.net ]
  done
  # Here the time is over before it is known whether it can be unfolded.
  local start=$SECONDS
  tideline info picks.lna --timeout 0.4
  equals "$status" 0
  [ $((SECONDS - start)) -le 15 ]
}

@test "time, while a formula is read" {
  echo 'n { type t : range 0 .. 2000000000; place p { dom : bool; init : <( true )>; }
    transition a { in { p : <( x )>; } out { p : <( x )>; } }
    proposition big : forall (i in t, j in t : int (i) + int (j) >= 0); }' >big.lna
  # It is given up by itself after 10^8 steps, which takes 0.3 s and more.
  soon check big.lna 'EF big' --timeout 0.05
  contains "$stderr" "the time limit was reached while reading a formula"
}

@test "memory, while a net is read" {
  for net in tokens.lna product.pnml; do
    soon explore $net --memory 20M --json
    equals "$(jq -c '[.complete, .stopped]' <<<"$output")" '[false,"memory"]'
    soon info $net --memory 20M
    contains "$output" "INCOMPLETE: the memory budget was reached while finding the initial marking"
  done
}

@test "interrupts, while a net is read or its bindings are looked for" {
  for net in tokens.lna picks.lna; do
    local start=$SECONDS
    timeout -k 30 1 "$TIDELINE" explore $net >out.txt 2>err.txt && status=0 || status=$?
    equals "$status" 124 # that is of timeout, which sends SIGTERM
    contains "$(cat out.txt)" "INCOMPLETE: it was interrupted"
    [ $((SECONDS - start)) -le 15 ]
  done
  # Nobody writes to standard input.
  soon explore - --timeout 0.3 < <(exec sleep 20 3>&-)
}

@test "time, while somebody reads slowly what is written" {
  { echo "net line"
    seq 1 20000 | awk '{ print "tr t" $1 " p" $1 - 1 " -> p" $1 }'
    echo "pl p0 (1)"; } >line.net
  "$TIDELINE" graph line.net -o line.tlg
  slowly () { { "$TIDELINE" "$@" --timeout 3 2>err-$1 || echo $? >>err-$1; } | { sleep 4; cat >out-$1; }; }
  slowly convert line.net --format pnml 3>&- &
  slowly graph line.tlg --aut 3>&-
  wait $!
  equals "$(cat err-convert)" "tideline: standard output: the time limit was reached while writing the net
3"
  equals "$(cat err-graph)" "tideline: standard output: the time limit was reached while writing the graph
3"
}

@test "a compiler that does not end" {
  mkdir bin tmp
  printf '#!/bin/sh\ntrap "" TERM\nsleep 61.5 &\nwait\nsleep 61.5\n' >bin/cc
  chmod +x bin/cc
  export XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/tmp PATH=$PWD/bin:$PATH
  echo 'n { type t : range 0 .. 9; place p { dom : t; init : <( 0 )>; }
    transition a { in { p : <( x )>; } out { p : <( x )>; } } }' >small.lna
  soon explore small.lna --as-it-is --compile now --timeout 0.5
  contains "$output" "INCOMPLETE: the time limit was reached"
  equals "$(find cache tmp -type f | wc -l)" 0
  timeout -k 30 3 "$TIDELINE" explore small.lna --as-it-is --compile now >out.txt 2>&1 || true
  contains "$(cat out.txt)" "INCOMPLETE: it was interrupted"
  equals "$(find cache tmp -type f | wc -l)" 0
  ! pgrep -f "^sleep 61.5"
}

@test "time, in linear programs and measures of a large net" {
  { echo "net ring"
    seq 1 99999 | awk '{ print "tr t" $1 " p" $1 - 1 " -> p" $1 }'
    echo "tr t0 p99999 -> p0"
    echo "pl p0 (1)"; } >ring.net
  soon check ring.net deadlock --timeout 2
  local start=$SECONDS
  run timeout -s KILL 60 "$TIDELINE" progress ring.net --timeout 2
  [ $((SECONDS - start)) -le 15 ]
  # The solver itself hears of no interrupt.
  for command in "check ring.net deadlock" "progress ring.net"; do
    start=$SECONDS
    run timeout --foreground --preserve-status -s INT -k 60 1 "$TIDELINE" $command
    equals "$status" 3
    [ $((SECONDS - start)) -le 10 ]
  done
}
