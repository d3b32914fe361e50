# The table of the stores.  `kinds` lists them, plain first.  Columns of a line:
# 1 model, 2 store, 3 states, 5 seconds, 6 bytes per state, 8 bits of a key.

FILENAME ~ /peers/ { if (!/^#/) own[$1] = $4; next }
{ take() }

END {
  n = split(kinds, kind, " ")
  head = "model|states|key bits|bound"
  for (k = 1; k <= n; k++)
    head = head "|" kind[k]
  for (k = 2; k <= n; k++)
    head = head "|time " kind[k]
  row(head "|LTSmin")
  for (m = 1; m <= models; m++) {
    name = model[m]
    states = median(name, "plain", 3)
    bits = median(name, runs[name, "table"] ? "table" : "plain", 8)
    line = name "|" commas(states) "|" bits "|" \
           sprintf("%.2f", information_bound(bits, states) / 8)
    for (k = 1; k <= n; k++)
      line = line "|" figure("%.2f", median(name, kind[k], 6))
    for (k = 2; k <= n; k++) {
      r = ratio(name, kind[k], "plain", 5)
      line = line "|" figure("%.2f", r)
      if (r) {
        logs[k] += log(r)
        counted[k]++
      }
    }
    row(line "|" own[name])
  }
  line = "geometric mean|||" pad(n, "|")
  for (k = 2; k <= n; k++)
    line = line "|" figure("%.2f", counted[k] ? exp(logs[k] / counted[k]) : 0)
  row(line "|")
  print_table()
}
