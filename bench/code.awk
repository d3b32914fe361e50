# The table of the condensed code.  Columns of a line: 1 size, 2 true with the
# place `unused`, 3 store and options, 4 states, 5 bytes of the code, 6 bytes a
# state.  The paper's: 1 size, then bytes of all states, with `unused` and without.

BEGIN {
  every = "table --every-place"
  found = "table"
}
FILENAME ~ /paper/ {
  if (!/^#/) {
    paper[$1, "true", every] = $2
    paper[$1, "true", found] = $3
    paper[$1, "false", every] = $4
    paper[$1, "false", found] = $5
  }
  next
}
{
  states[$1] = $4
  code[$1, $2, $3] = $5
  stored[$1, $2, $3] = $6
  if ($1 > most)
    most = $1
}

# Of a few states a store is mostly room for more.
function kept (n, unused, how) {
  return states[n] < 5000 ? "|-" : sprintf("|%.2f", stored[n, unused, how])
}

END {
  row("place `unused`|size|states|capacities|paper|redundancy found|paper, by hand|stored|collapse")
  for (u = 1; u >= 0; u--)
    for (n = 1; n <= most; n++) {
      unused = u ? "true" : "false"
      line = (u ? "with" : "without") "|" n "|" states[n]
      line = line sprintf("|%.2f|%.2f", code[n, unused, every], paper[n, unused, every] / states[n])
      line = line sprintf("|%.2f|%.2f", code[n, unused, found], paper[n, unused, found] / states[n])
      row(line kept(n, unused, found) kept(n, unused, "collapse"))
    }
  print_table()
}
