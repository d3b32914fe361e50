# The commands that the README shows, with the output it shows.  Figures that
# depend on the machine are left out of the comparison.
load common

# Sizes, shares and times vary; so does the layout of columns with them.
mask () {
  sed -E -e '/^time /d' -e 's/[0-9][0-9.,]* (s|B|KiB|MiB|GiB|%)( |$)/# \1 /g' \
    -e 's/"(seconds|store_bytes|bytes_per_state|peak_rss_bytes|used|would_be)":[0-9.]+/"\1":#/g' \
    -e 's/ +/ /g' -e 's/ +$//'
}

@test "README: commands and their output" {
  mkdir -p bin
  ln -s "$(realpath "$TIDELINE")" bin/tideline
  PATH=$PWD/bin:$PATH
  # A block is a command after "$ " and what it printed, up to the next one.
  awk '/^```/ { inside = $0 == "```console"; next }
    inside && /^\$ / { n++; print substr($0, 3) > "command." n; printf "" > "shown." n; next }
    inside && n { print > "shown." n }' "$BATS_TEST_DIRNAME/../../README.md"
  [ -e command.1 ]
  for ((i = 1; ; i++)); do
    [ -e command.$i ] || break
    cat command.$i
    bash command.$i >found.$i 2>&1 || true
    diff <(mask <shown.$i) <(mask <found.$i)
  done
}
