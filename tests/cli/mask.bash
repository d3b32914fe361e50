# What two runs of the same command may differ in.
# Sizes, shares, times, threads and where a budget ends a search vary; so does the
# layout of columns with them.
mask () {
  sed -E -e '/^time /d' -e 's/[0-9][0-9.,]* (s|B|KiB|MiB|GiB|%)( |$)/# /g' \
    -e 's/at least [0-9,]+/at least #/g' -e 's/[0-9]+ threads?(, on an average .*)?$/# threads/' \
    -e 's/ +/ /g' -e 's/ +$//'
}
