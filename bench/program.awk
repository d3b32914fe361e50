# The table of the program-like net.  Columns of a line: 1 model, 2 mode or k,
# 3 states, 5 seconds, 6 bytes a state.  The paper's: 1 mode or k, 2 bytes.

FILENAME ~ /paper/ {
  paper[$1] = $2
  next
}
{ take() }

END {
  n = split("plain collapse 10 20 50", modes, " ")
  row("store|bytes a state|paper|seconds")
  for (m = 1; m <= n; m++) {
    there = runs[model[1], modes[m]]
    row((modes[m] + 0 ? "delta+collapse, k = " : "") modes[m] "|" \
        (there ? sprintf("%.2f", median(model[1], modes[m], 6)) : "-") "|" \
        paper[modes[m]] "|" \
        (there ? sprintf("%.1f", median(model[1], modes[m], 5)) : "-"))
  }
  print_table()
}
