# The table of delta-markings.  Columns of a line: 1 model, 2 plain or k,
# 5 seconds, 6 bytes per state.  The paper's: 1 family, 2 size, then time and
# memory for each k.

FILENAME ~ /paper/ {
  for (k = 0; !/^#/ && k < 4; k++) {
    time[$1, k] = $(3 + 2 * k)
    space[$1, k] = $(4 + 2 * k)
    size[$1] = $2
  }
  next
}
{ take() }

END {
  n = split("5 10 20 50", ks, " ")
  row("model|k|bytes a state|plain|memory|paper|time|paper")
  for (m = 1; m <= models; m++)
    for (k = 1; k <= n; k++) {
      name = model[m]
      if (!runs[name, ks[k]])
        continue
      family = name
      sub(/-[0-9].*$/, "", family)
      row(name (name == family "-" size[family] ? "" : \
                " (paper: " size[family] ")") "|" ks[k] "|" \
          sprintf("%.2f", median(name, ks[k], 6)) "|" \
          sprintf("%.2f", median(name, "plain", 6)) "|" \
          sprintf("%.0f %%", 100 * ratio(name, ks[k], "plain", 6)) "|" \
          space[family, k - 1] " %|" \
          sprintf("%.0f %%", 100 * ratio(name, ks[k], "plain", 5)) "|" \
          time[family, k - 1] " %")
    }
  print_table()
}
