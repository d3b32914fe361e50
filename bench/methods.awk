# The table of methods.  Columns of a line: 1 model, 2 bfs, hand or auto,
# 3 states, 4 most stored, 5 visits, 6 seconds, 7 sweeps, 12 measure.  The
# papers': 1 family, 2 size, 3 states, 4 stored.

FILENAME ~ /paper/ {
  if (!/^#/)
    paper[$1, $2] = $4 / $3
  next
}
{
  take()
  measure[$1, $2] = $12
}

# What a mode stored, its share of the states, visits a state, and time: in
# proportion to breadth-first, or with the search for a measure in seconds.
function cells(name, mode, states,    peak) {
  peak = median(name, mode, 4)
  if (!peak)
    return "|||"
  return commas(peak) "|" share(peak / states) "|" \
         sprintf("%.2f", median(name, mode, 5) / states) "|" \
         (mode == "hand" ? figure("%.2f", ratio(name, mode, "bfs", 6)) \
                         : sprintf("%.1f s", median(name, mode, 6)))
}

function share(part) { return sprintf("%.*f %%", part < 0.1 ? 2 : 1, 100 * part) }

END {
  row("model|states|by hand: stored|share|visits|time|automatic: stored|share|" \
      "visits|time|bfs|paper")
  for (m = 1; m <= models; m++) {
    name = model[m]
    states = median(name, "bfs", 3)
    if (!states)
      continue
    family = name
    sub(/-[0-9].*/, "", family)
    split(substr(name, length(family) + 2), size, "-")
    theirs = paper[family, size[1]]
    row(name "|" commas(states) "|" cells(name, "hand", states) "|" \
        cells(name, "auto", states) "|" \
        sprintf("%.1f s", median(name, "bfs", 6)) "|" (theirs ? share(theirs) : ""))
  }
  print_table()
}
