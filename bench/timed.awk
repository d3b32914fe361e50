# The table of the timed protocol.  Columns of a line: 1 size, 2 states, 3 most
# stored, 4 seconds and 5 megabytes for all states, 6 seconds and 7 megabytes of the
# sweep.  The paper's: as its file says.

FILENAME ~ /paper/ {
  if (!/^#/)
    paper[++papers] = $0
  next
}
{
  line[++lines] = $0
}

function percent(part) {
  return sprintf("%.*f %%", part < 0.1 ? 1 : 0, 100 * part)
}

END {
  row("net|states|stored|share|time|resident MB|swept")
  for (i = 1; i <= lines; i++) {
    split(line[i], f, ",")
    row("timed " f[1] "|" commas(f[2]) "|" commas(f[3]) "|" \
        percent(f[3] / f[2]) "|" percent(f[6] / (f[4] + 1e-6)) "|" \
        sprintf("%.0f", f[5]) "|" sprintf("%.0f", f[7]))
  }
  for (i = 1; i <= papers; i++) {
    split(paper[i], f, "\t")
    row("paper, " f[1] "|" commas(f[2]) "|" commas(f[3]) "|" \
        percent(f[3] / f[2]) "|" percent(f[5] / f[4]) "||")
  }
  print_table()
}
