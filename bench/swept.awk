# Graphs that a sweep builds, beside the figures of the paper.  Columns of a line:
# 1 model, 2 states, 3 states of the graph, 4 most stored, 5 bytes of a marking,
# 6 bytes of the graph, 7 seconds breadth-first, 8 by the sweep.  The paper's: as
# its file says.

FILENAME ~ /paper/ {
  if (!/^#/)
    paper[$1 "-" $2] = $4 / $3 "|" $5 / $3 "|" $6 "|" $7
  next
}
{
  line[++lines] = $0
}

function percent(part) {
  return sprintf("%.*f %%", part < 0.1 ? 1 : 0, 100 * part)
}

END {
  row("model|states|in the graph|stored|memory|with arcs|time|" \
      "paper: in the graph|stored|memory|time")
  for (i = 1; i <= lines; i++) {
    split(line[i], f, ",")
    split(paper[f[1]], p, "|")
    whole = f[2] * f[5]
    row(f[1] "|" commas(f[2]) "|" sprintf("%.2f", f[3] / f[2]) "|" \
        percent(f[4] / f[2]) "|" percent((4 * f[3] + f[4] * f[5]) / whole) "|" \
        percent((f[6] + f[4] * f[5]) / whole) "|" percent(f[8] / f[7]) "|" \
        sprintf("%.2f", p[1]) "|" percent(p[2]) "|" p[3] " %|" \
        (p[4] ? p[4] " %" : ""))
  }
  print_table()
}
