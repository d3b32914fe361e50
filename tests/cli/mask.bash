# What two runs of the same command may differ in.
# Sizes, shares, times, threads and where a budget ends a search vary; so does the
# layout of columns with them, and by a little what a sweep with several threads stores.
mask () {
  sed -E -e '/^time /d' -e 's/[0-9][0-9.,]* (s|B|KiB|MiB|GiB|%)( |$)/# /g' \
    -e 's/^(stored +)[0-9,]+ states/\1# states/' \
    -e 's/at least [0-9,]+/at least #/g' \
    -e 's/[0-9]+ threads?((, on an average|: so few states) .*)?$/# threads/' \
    -e 's/ +/ /g' -e 's/ +$//'
}
