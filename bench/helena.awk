# The table beside Helena.  Columns of a line: 1 model, 2 unfolded, whole (not
# unfolded) or code (that with condensed codes in a table), 3 user seconds,
# 4 megabytes, 5 states, 6 bytes a state, 7 bytes of the code.  Helena's: 1 model,
# 2 user seconds, 3 megabytes.

FILENAME ~ /helena.tsv/ {
  seconds[$1] = $2
  space[$1] = $3
  next
}
{ take() }

# The least over the runs.
function least(name, mode, c,    i, best) {
  best = value[name, mode, c, 1]
  for (i = 2; i <= runs[name, mode]; i++)
    if (value[name, mode, c, i] < best)
      best = value[name, mode, c, i]
  return best
}

function cells(name, mode) {
  return sprintf("%.2f|%.1f x|%.0f|%.2f", least(name, mode, 3), \
                 seconds[name] / (least(name, mode, 3) + 0.001), \
                 least(name, mode, 4), least(name, mode, 6))
}

END {
  row("model|states|unfolded: seconds|Helena's|MB|bytes a state|" \
      "not unfolded: seconds|Helena's|MB|bytes a state|of unfolded|code|" \
      "in a table|Helena: seconds|MB")
  for (m = 1; m <= models; m++) {
    name = model[m]
    row(name "|" commas(least(name, "unfolded", 5)) "|" \
        cells(name, "unfolded") "|" cells(name, "whole") "|" \
        sprintf("%.1f x|", ratio(name, "whole", "unfolded", 3)) \
        sprintf("%.2f|%.2f|", least(name, "code", 7), least(name, "code", 6)) \
        seconds[name] "|" space[name])
  }
  print_table()
}
