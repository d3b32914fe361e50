# The commands that the README shows, with the output it shows.  Figures that
# depend on the machine are left out of the comparison.
load common

# Sizes, shares, times and where a budget ends a search vary; so does the
# layout of columns with them.
mask () {
  sed -E -e '/^time /d' -e 's/[0-9][0-9.,]* (s|B|KiB|MiB|GiB|%)( |$)/# /g' \
    -e 's/at least [0-9,]+/at least #/g' -e 's/ +/ /g' -e 's/ +$//'
}

@test "README: commands and their output" {
  top=$BATS_TEST_DIRNAME/../..
  grep -q '^\$ tideline explore' "$top/README.md"
  TIDELINE=$TIDELINE "$top/tools/readme" >now
  diff <(mask <"$top/README.md") <(mask <now)
}
