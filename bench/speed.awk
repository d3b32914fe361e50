# The table of `make bench`.  Columns of a line: 1 model, 2 mode, 3 states,
# 4 arcs, 5 seconds, 6 and 7 bytes per state by account and by kernel, 8 bits,
# 9 firings per second; mode `limit` has the last one only.

FILENAME ~ /peers/ { if (!/^#/) peer[$1] = $2; next }
{ take() }

END {
  row("model|order|states|arcs|bytes a state|by kernel|million firings/s|" \
      "limit|of limit|of LTSmin")
  for (m = 1; m <= models; m++)
    for (o = 1; o <= split("bfs dfs", order, " "); o++) {
      name = model[m]
      mode = order[o]
      if (!runs[name, mode])
        continue
      rate = median(name, mode, 9)
      rival = peer[name] ? median(name, mode, 4) / peer[name] : 0
      row(name "|" mode "|" commas(median(name, mode, 3)) "|" \
          commas(median(name, mode, 4)) "|" \
          sprintf("%.1f", median(name, mode, 6)) "|" \
          sprintf("%.1f", median(name, mode, 7)) "|" \
          sprintf("%.1f", rate / 1e6) "|" \
          sprintf("%.1f", median(name, "limit", 9) / 1e6) "|" \
          sprintf("%.0f %%", 100 * ratio(name, mode, "limit", 9)) "|" \
          figure("%.1f x", rival ? rate / rival : 0))
    }
  print_table()
}
