# What the benchmarks share.  Sourced at the root of the repository; `results`
# is the file that lines of figures go to.

TIDELINE=${TIDELINE:-build/tideline}
work=build/bench
mkdir -p $work
scratch=$(mktemp -d $work/run.XXXXXX) || exit 4
trap 'rm -rf "$scratch"' EXIT
for need in jq "$TIDELINE"; do
  command -v "$need" >/dev/null && continue
  echo "$0: $need is not there" >&2
  exit 2
done

usage () {
  sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

# net NAME: the file of a family and sizes like `kanban-5`, or NAME itself if it
# is a file.
net () {
  local file=$work/$1.pnml family=${1%%-[0-9]*}
  [ ! -f "$1" ] || { echo "$1" && return; }
  [ -f "$file" ] ||
    "$TIDELINE" example "$family" $(tr - ' ' <<<"${1#"$family"-}") -o "$file" ||
    return
  echo "$file"
}

# seconds COMMAND...: of the processor; what it prints goes to $scratch/result.
seconds () {
  local TIMEFORMAT='%U %S'
  { time "$TIDELINE" "$@" --no-progress --json --timeout 300 \
    >"$scratch/result" 2>"$scratch/errors"; } 2>"$scratch/time" || return
  awk '{ print $1 + $2 }' "$scratch/time"
}

# measure NAME FILE MODE OPTION...: explores the net in FILE and adds a line:
# model, mode, states, arcs, seconds, bytes per state by account and by kernel,
# bits of a key, firings per second.  Seconds are those of the processor, which
# other jobs on the machine disturb least.  Fails, without a line, when the run
# is not complete.
measure () {
  local name=$1 file=$2 mode=$3 TIMEFORMAT='%U %S' lines
  shift 3
  [ ! -t 2 ] || printf '\r\033[K%s %s\r' "$name" "$mode" >&2
  { time "$TIDELINE" explore "$file" --threads 1 --json --no-progress "$@" \
    >"$scratch/result" 2>"$scratch/errors"; } 2>"$scratch/time"
  lines=$(wc -l <"$results")
  jq -r --arg name "$name" --arg mode "$mode" \
    --arg time "$(cat "$scratch/time")" '
    select(.complete) | ($time | split(" ") | map(tonumber) | add) as $seconds |
    [$name, $mode, .states, .arcs, $seconds, .bytes_per_state,
     .peak_rss_bytes / .states, .encoding.bits, .arcs / ($seconds + 1e-6)]
    | map(tostring) | join(",")' "$scratch/result" >>"$results" 2>>"$scratch/errors"
  [ ! -t 2 ] || printf '\033[K' >&2
  [ "$(wc -l <"$results")" -gt "$lines" ]
}

# The machine in general terms: figures mean little without.
machine () {
  local cache=/sys/devices/system/cpu/cpu0/cache
  echo "$(date -u +%Y-%m-%d), $(nproc) cores," \
    "caches of $(cat $cache/index[23]/size 2>/dev/null | paste -sd ' ')," \
    "$(awk '/MemTotal/ { printf "%.0f", $2 / 1e6 }' /proc/meminfo) GB of memory," \
    "load $(cut -d ' ' -f 1 /proc/loadavg) at the start"
}
