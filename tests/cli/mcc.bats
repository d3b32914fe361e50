# As the Model Checking Contest runs its tools.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  "$TIDELINE" example philosophers 3 -o model.pnml
  unset BK_EXAMINATION BK_TIME_CONFINEMENT BK_MEMORY_CONFINEMENT
}

# examine NAME
examine () {
  BK_EXAMINATION=$1 tideline mcc
}

# property ID FORMULA: an element of a property file.
property () {
  echo "<property><id>$1</id><description>d</description><formula>$2</formula></property>"
}

# properties FILE PROPERTY...
properties () {
  local file=$1
  shift
  echo "<?xml version=\"1.0\"?><property-set xmlns=\"http://mcc.lip6.fr/\">$*</property-set>" >"$file"
}

eats='<integer-le><integer-constant>1</integer-constant><tokens-count><place>eating_1</place></tokens-count></integer-le>'
can='<is-fireable><transition>put_1</transition></is-fireable>'

@test "mcc: the state space" {
  examine StateSpace
  equals "$status" 0
  equals "$output" 'STATE_SPACE STATES 14 TECHNIQUES EXPLICIT STATE_COMPRESSION
STATE_SPACE TRANSITIONS 27 TECHNIQUES EXPLICIT STATE_COMPRESSION
STATE_SPACE MAX_TOKEN_PER_MARKING 6 TECHNIQUES EXPLICIT STATE_COMPRESSION
STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES EXPLICIT STATE_COMPRESSION'
}

@test "mcc: global properties are called as the examination" {
  while read -r name verdict techniques; do
    examine "$name"
    equals "$status:$output" "0:FORMULA $name $verdict TECHNIQUES $techniques"
  done <<'EOF'
ReachabilityDeadlock TRUE EXPLICIT
QuasiLiveness TRUE EXPLICIT
StableMarking FALSE EXPLICIT
Liveness FALSE EXPLICIT
OneSafe TRUE TOPOLOGICAL
EOF
}

@test "mcc: a dead marking of a net that nobody can explore" {
  # All transitions take from one place: stubborn sets leave none of them out.
  { echo "net pool pl pool (60)"
    seq 1 20 | awk '{ print "tr t" $1 " pool -> p" $1 }'; } >pool.net
  "$TIDELINE" convert pool.net -o model.pnml
  BK_EXAMINATION=ReachabilityDeadlock BK_TIME_CONFINEMENT=20 tideline mcc
  equals "$status" 0
  contains "$output" "FORMULA ReachabilityDeadlock TRUE"
}

@test "mcc: formulas of a file" {
  properties UpperBounds.xml \
    "$(property b '<place-bound><place>fork_1</place><place>fork_2</place></place-bound>')"
  examine UpperBounds
  equals "$status:$output" "0:FORMULA b 2 TECHNIQUES TOPOLOGICAL"
  for name in ReachabilityCardinality ReachabilityFireability; do
    properties $name.xml \
      "$(property r0 "<exists-path><finally>$eats</finally></exists-path>")" \
      "$(property r1 "<all-paths><globally><negation>$can</negation></globally></all-paths>")"
    examine $name
    equals "$status:$(sort <<<"$output")" $'0:FORMULA r0 TRUE TECHNIQUES EXPLICIT\nFORMULA r1 FALSE TECHNIQUES EXPLICIT'
  done
  for name in CTLCardinality CTLFireability; do
    properties $name.xml \
      "$(property c0 "<exists-path><globally><negation>$eats</negation></globally></exists-path>")" \
      "$(property c1 "<all-paths><finally><exists-path><next>$can</next></exists-path></finally></all-paths>")"
    examine $name
    equals "$status:$(sort <<<"$output")" $'0:FORMULA c0 TRUE TECHNIQUES EXPLICIT\nFORMULA c1 FALSE TECHNIQUES EXPLICIT'
  done
  for name in LTLCardinality LTLFireability; do
    properties $name.xml \
      "$(property l0 "<all-paths><globally><finally>$eats</finally></globally></all-paths>")" \
      "$(property l1 "<all-paths><next><negation>$can</negation></next></all-paths>")"
    examine $name
    equals "$status:$(sort <<<"$output")" $'0:FORMULA l0 FALSE TECHNIQUES EXPLICIT\nFORMULA l1 TRUE TECHNIQUES EXPLICIT'
  done
}

@test "mcc: what is decided is printed before the search ends" {
  "$TIDELINE" example chains 40 2 -o model.pnml
  all=$(printf '<place>at_%d_2</place>' $(seq 1 40))
  there="<integer-le><integer-constant>40</integer-constant><tokens-count>$all</tokens-count></integer-le>"
  ever="<exists-path><finally>$there</finally></exists-path>"
  properties CTLCardinality.xml \
    "$(property late "<all-paths><globally><exists-path><until><before><negation>$there</negation></before><reach>$there</reach></until></exists-path></globally></all-paths>")" \
    "$(property soon "$ever")"
  export BK_EXAMINATION=CTLCardinality BK_TIME_CONFINEMENT=2
  start=$SECONDS
  tideline mcc
  equals "${lines[0]}" "FORMULA soon TRUE TECHNIQUES EXPLICIT STUBBORN_SETS"
  # A diagram tells this one, if there is time.
  case $status:${lines[1]} in
  "0:FORMULA late TRUE "* | "3:FORMULA late CANNOT_COMPUTE") ;;
  *) false ;;
  esac
  [ $((SECONDS - start)) -le 10 ]
  BK_EXAMINATION=StateSpace tideline mcc
  equals "$status:$output" "3:CANNOT_COMPUTE"
}

@test "mcc: what it does not do, and what is wrong" {
  examine Coffee
  equals "$status:$output" "0:DO_NOT_COMPETE"
  fails 2 "BK_EXAMINATION is not set: it names what to do, such as StateSpace" mcc
  export BK_EXAMINATION=CTLFireability
  fails 2 "CTLFireability.xml: cannot open: No such file or directory" mcc
  BK_TIME_CONFINEMENT=soon fails 2 "BK_TIME_CONFINEMENT: 'soon' is not a number from 0 to 31536000" mcc
  rm model.pnml
  fails 2 "model.pnml: cannot open: No such file or directory" mcc
}
