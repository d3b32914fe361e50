# Options of explore and check by chance, many at a time: each run ends as the
# manual says, answers what a plain one does, and leaves nothing behind.  With
# LONG there are more, and SEED=N begins with another one.
load common

FORMULAS=(deadlock reversible 'EF p1 = 0' 'MAX (p0 + p1)' 'G F p0 = 1' 'AG EF p2 = 0' bounded)

# once_in N: true by chance.
once_in () { [ $((RANDOM % $1)) = 0 ]; }

# any WORD...: one of them, in $any.
any () {
  shift $((RANDOM % $#))
  any=$1
}

# maybe N OPTION VALUE...: once in N the option with one of the values.
maybe () {
  local option=$2
  once_in "$1" || return 0
  shift 2
  any "$@"
  words+=("$option${any:+=$any}")
}

# Words for the command, in $words; what they make needs no folder but files.
draw_words () {
  words=()
  maybe 4 --order bfs dfs sweep
  maybe 2 --store plain table tree delta collapse delta+collapse
  maybe 6 --progress auto sampled schmidt maxfs none p0 '2*p0 - p1*p1'
  maybe 12 --window 0 2 all
  maybe 12 --monotone ''
  maybe 12 --exact-count ''
  maybe 5 --stubborn none deadlock property
  maybe 5 --memory 1K 100K 3M 1G
  maybe 6 --max-states 1 5 1000000
  maybe 8 --timeout 1ms 20
  maybe 2 --threads 1 2 3
  maybe 6 --checkpoint folder
  maybe 12 --disk .
  maybe 4 --markings all changed
  maybe 8 --certificate file
  maybe 8 --html file
  maybe 8 --trace file
  maybe 8 --no-unfold ''
  maybe 12 --every-place ''
  if [ $command = check ]; then
    maybe 2 --engine auto graph fly nested guided symbolic nested-graph
  else
    maybe 3 --engine auto explicit symbolic symmetry
  fi
  words+=(--json)
}

# What is found of $net with these words: figures or verdicts, a line each.
found () {
  if [ $command = check ]; then
    jq -r '.properties[] | [.name, .verdict, .value] | map(tostring) | join(" ")'
  else
    jq -r '.states, .arcs, .max_tokens_in_place, .max_tokens_per_marking, .deadlocks'
  fi
}

wrong () {
  echo "seed $seed: tideline $command $net ${asked[*]@Q} ${words[*]@Q}: $1"
  echo "exit code $status: $output"
  echo "$stderr"
  return 1
}

# Lines of $1 are those of $2, or do not tell.
agrees () {
  local told plain
  while read -r told <&3 && read -r plain <&4; do
    [ "$told" = "$plain" ] || [[ $told = null || $told = *" unknown "* ]] || return 1
  done 3<<<"$1" 4<<<"$2"
}

# Does the run say what it does?
judge () {
  case $status in
  2)
    [ -z "$output" ] || wrong "output beside a complaint" || return
    [ "$(grep -vc '^  ' <<<"$stderr")" = 1 ] || wrong "not one complaint"
    return
    ;;
  0 | 3) ;;
  1) [ $command = check ] || wrong "a violation" || return ;;
  *) wrong "a fault" || return ;;
  esac
  local whole
  whole=$(jq -s 'if length == 1 then .[0].complete else "no object" end' <<<"$output")
  [ "$whole" = "$([ "$status" = 3 ] && echo false || echo true)" ] ||
    [[ " ${words[*]}" = *" --certificate"* ]] || wrong "complete: $whole" || return
  # States that are left out are not counted; deadlocks are, but not here.
  [ $command$whole = explorefalse ] || [[ "$command ${words[*]}" = "explore "*--stubborn=deadlock* ]] ||
    [ "$(jq .message <<<"$output")" != null ] || agrees "$(found <<<"$output")" "$plain" || wrong "not as plain: $plain"
}

# combine NET: once.
combine () {
  RANDOM=$seed
  any explore check check
  command=$any asked=()
  [ $command = explore ] || asked=("${FORMULAS[@]}")
  plain=$("$TIDELINE" $command "$1" "${asked[@]}" --threads 1 --json $([ $command = explore ] || echo --engine graph) | found)
  draw_words
  mkdir "$seed"
  cd "$seed"
  tideline $command "../$1" "${asked[@]}" "${words[@]}"
  judge || return
  [ -z "$(ls | grep -vxE 'folder|file|tideline-[0-9a-f]+')" ] || wrong "left behind: $(ls)" || return
  cd ..
  rm -r "$seed"
}

@test "options by chance" {
  printf 'net one\ntr a p0 -> p1\ntr b p1*2 -> p2 p0\ntr c p2 -> p1\ntr d p0 p2 -> p0*2\npl p0 (4)\n' >one.net
  printf 'net two\ntr a p0 -> p1\ntr b p1 -> p2\ntr c p2 -> p0\ntr d p1 p2?-1 -> p1\npl p0 (3)\n' >two.net
  cat >three.lna <<'LNA'
three {
  type num : range 0 .. 3;
  place p0 { dom : num; capacity : 2; init : <( 1 )> + <( 2 )>; }
  place p1 { dom : num; capacity : 2; }
  place p2 { dom : num; capacity : 2; }
  transition a { in { p0 : <( x )>; } out { p1 : <( x )>; } }
  transition b { in { p1 : <( x )>; } out { p2 : <( (x + 1) mod 4 )>; } }
  transition c { in { p2 : <( x )>; } out { p0 : <( x )>; } guard : x > 0; }
}
LNA
  local first=${SEED:-1} runs=25
  [ -z "$LONG" ] || runs=300
  for seed in $(seq "$first" $((first + runs - 1))); do
    for net in one.net two.net three.lna; do
      combine $net
    done
  done
}
