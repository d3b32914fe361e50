# The table of real nets.  Columns of a line: 1 model, 2 store, 3 states,
# 5 seconds, 6 bytes per state, 8 bits of a key.

FILENAME ~ /MODELS/ { places[$1] = $3; next }
{ take() }

END {
  row("model|places|states|key bits|bound|table|tree|better|arcs/s table|tree")
  for (m = 1; m <= models; m++) {
    name = model[m]
    mode = runs[name, "table"] ? "table" : "tree"
    states = median(name, mode, 3)
    bits = median(name, mode, 8)
    a = median(name, "table", 6)
    b = median(name, "tree", 6)
    best = a && (!b || a <= b) ? a : b
    good += best <= 4
    row(name "|" places[name] "|" commas(states) "|" bits "|" \
        sprintf("%.2f", information_bound(bits, states) / 8) "|" \
        figure("%.2f", a) "|" figure("%.2f", b) "|" figure("%.2f", best) "|" \
        figure("%.1f M", median(name, "table", 9) / 1e6) "|" \
        figure("%.1f M", median(name, "tree", 9) / 1e6))
  }
  print_table()
  printf "\n%d of %d models (%.0f %%) take at most 4 bytes a state.\n", good,
    models, models ? 100 * good / models : 0
}
