# The table of the condensed code.  Columns of a line: 1 size, 2 true with the
# place `unused`, 3 true with every place in the code, 4 states, 5 bytes a state.
# The paper's: 1 size, then bytes of all states, with `unused` and without.

FILENAME ~ /paper/ {
  if (!/^#/) {
    paper[$1, "true", "true"] = $2
    paper[$1, "true", "false"] = $3
    paper[$1, "false", "true"] = $4
    paper[$1, "false", "false"] = $5
  }
  next
}
{
  states[$1] = $4
  bytes[$1, $2, $3] = $5
  if ($1 > most)
    most = $1
}

END {
  row("place `unused`|size|states|capacities|paper|redundancy found|paper, by hand")
  for (u = 1; u >= 0; u--)
    for (n = 1; n <= most; n++) {
      unused = u ? "true" : "false"
      line = (u ? "with" : "without") "|" n "|" states[n]
      for (e = 1; e >= 0; e--) {
        every = e ? "true" : "false"
        line = line sprintf("|%.2f|%.2f", bytes[n, unused, every], \
                            paper[n, unused, every] / states[n])
      }
      row(line)
    }
  print_table()
}
