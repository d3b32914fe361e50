# The run of a billion states.  Columns of a line: 1 model, 3 states, 4 arcs,
# 5 seconds, 6 and 7 bytes per state by account and by kernel.

{ take() }

END {
  row("model|states|arcs|seconds|million firings/s|bytes a state|by kernel|" \
      "resident")
  for (m = 1; m <= models; m++)
    row(model[m] "|" commas(median(model[m], "auto", 3)) "|" \
        commas(median(model[m], "auto", 4)) "|" \
        commas(median(model[m], "auto", 5)) "|" \
        sprintf("%.1f", median(model[m], "auto", 9) / 1e6) "|" \
        sprintf("%.2f", median(model[m], "auto", 6)) "|" \
        sprintf("%.2f", median(model[m], "auto", 7)) "|" \
        sprintf("%.2f GB", median(model[m], "auto", 7) * \
                median(model[m], "auto", 3) / 1e9))
  print_table()
}
