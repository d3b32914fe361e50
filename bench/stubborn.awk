# The tables of stubborn sets.  Columns of a line: 1 table, 2 model, 3 mode,
# 4 most states stored, 5 visits, 6 seconds.

{
  if (!(($1, $2) in known)) {
    known[$1, $2] = 1
    name[$1, ++lines[$1]] = $2
  }
  stored[$2, $3] = $4
  visits[$2, $3] = $5
  seconds[$2, $3] = $6
}

function fewer(n, mode,    f) {
  f = visits[n, "bfs"] / visits[n, mode]
  return sprintf("%.*f", f < 100, f)
}

function time(n, mode) { return sprintf("%.2f", seconds[n, mode]) }

# The rows of two modes side by side.
function pairs(table, mode, head,    i, n, sum, count) {
  rows = columns = 0
  split("", width)
  row(head "|visits, all|with the sets|times fewer|seconds, all|with the sets")
  for (i = 1; i <= lines[table]; i++) {
    n = name[table, i]
    if (!visits[n, "bfs"] || !visits[n, mode])
      continue
    count++
    sum += log(visits[n, "bfs"] / visits[n, mode])
    row(n "|" commas(visits[n, "bfs"]) "|" commas(visits[n, mode]) "|" \
        fewer(n, mode) "|" time(n, "bfs") "|" time(n, mode))
  }
  if (!count)
    return
  print_table()
  printf "\nOn the geometric mean %.1f times fewer.\n\n", exp(sum / count)
}

END {
  row("deadlocks|states|visits|times fewer|sweep: stored|both: stored|visits")
  for (i = 1; i <= lines["families"]; i++) {
    n = name["families", i]
    row(n "|" commas(visits[n, "bfs"]) "|" commas(visits[n, "stubborn"]) "|" \
        fewer(n, "stubborn") "|" commas(stored[n, "sweep"]) "|" \
        commas(stored[n, "both"]) "|" commas(visits[n, "both"]))
  }
  print_table()
  print ""
  pairs("formulas", "property", "formula")
  pairs("nets", "stubborn", "deadlocks of")
}
