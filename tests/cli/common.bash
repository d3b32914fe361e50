# For every file of CLI tests: the program under test, and a folder of its own
# for each test.
bats_require_minimum_version 1.5.0
TIDELINE=${TIDELINE:-$BATS_TEST_DIRNAME/../../build/tideline}

setup () {
  cd "$BATS_TEST_TMPDIR" || return
}

# tideline WORD...: standard output in $output, standard error in $stderr, exit
# code in $status.
tideline () {
  run --separate-stderr "$TIDELINE" "$@"
}

# fails CODE MESSAGE WORD...: ends with that code, nothing on standard output and
# one line on standard error, perhaps with what it is about below, indented.
fails () {
  local code=$1 message=$2
  shift 2
  tideline "$@"
  [ "$status" = "$code" ] || { echo "exit code $status: $stderr"; return 1; }
  [ -z "$output" ] || { echo "output: $output"; return 1; }
  [ "$(grep -v '^  ' <<<"$stderr")" = "tideline: $message" ] || { echo "message: $stderr"; return 1; }
}

# Is $1 = $2?
equals () {
  [ "$1" = "$2" ] || { printf 'found    %s\nexpected %s\n' "$1" "$2"; return 1; }
}

# Does $1 contain $2?
contains () {
  case $1 in
  *"$2"*) ;;
  *) printf 'not there: %s\n%s\n' "$2" "$1"; return 1 ;;
  esac
}

# A model too large for any test, and one that is small.
large_model () { "$TIDELINE" example philosophers-both 30 -o large.pnml; }
small_model () { "$TIDELINE" example philosophers 3 -o small.pnml; }
