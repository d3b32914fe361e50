# The tables of condensed graphs.  Columns of a line: 1 table, 2 model, 3 states,
# 4 arcs, 5 bytes of the graph, 6 of the published layout, 7 seconds of the
# exploration, 8 of the graph.  In the table "ctl": 3 states, 4 formulas, 5 that
# needed the graph, 6 seconds of the graph, 7 of all formulas.

{
  line[$1, ++lines[$1]] = $0
}

# The rows of a table, and the geometric means below it.  Times of less than a
# tenth of a second say nothing.
function table(name, head,    i, f, sizes, times, timed) {
  if (!lines[name])
    return
  rows = columns = 0
  split("", width)
  row(head "|states|arcs|bytes a state|published|times smaller|bits an arc|explore, s|graph, s")
  for (i = 1; i <= lines[name]; i++) {
    split(line[name, i], f, ",")
    row(f[2] "|" commas(f[3]) "|" commas(f[4]) "|" \
        sprintf("%.2f|%.2f|%.1f|%.1f|%.2f|%.2f", f[5] / f[3], f[6] / f[3], \
                f[6] / f[5], 8 * f[5] / f[4], f[7], f[8]))
    sizes += log(f[6] / f[5])
    if (f[7] >= 0.1) {
      times += log(f[8] / f[7])
      timed++
    }
  }
  print_table()
  printf "\nOn the geometric mean %.1f times smaller", exp(sizes / lines[name])
  if (timed)
    printf "; building takes %.2f times as long as exploring", exp(times / timed)
  print ".\n"
}

# Seconds of the graph and of the formulas, and the geometric mean of the ratio.
function ctl(    i, f, logs) {
  if (!lines["ctl"])
    return
  rows = columns = 0
  split("", width)
  row("net|states|formulas|on the graph|graph, s|all formulas, s|ratio")
  for (i = 1; i <= lines["ctl"]; i++) {
    split(line["ctl", i], f, ",")
    row(f[2] "|" commas(f[3]) "|" f[4] "|" f[5] "|" \
        sprintf("%.2f|%.2f|%.1f", f[6], f[7], f[7] / f[6]))
    logs += log(f[7] / f[6])
  }
  print_table()
  printf "\nOn the geometric mean all formulas take %.1f times as long as the graph.\n\n", \
    exp(logs / lines["ctl"])
}

END {
  if (part == "formulas")
    ctl()
  else {
    table("families", "family")
    table("nets", "net")
  }
}
