# The table beside Helena.  Columns of a line: 1 model, 2 user seconds,
# 3 megabytes, 4 states, 5 bytes a state, 6 bits.  Helena's: 1 model, 2 user
# seconds, 3 megabytes.

FILENAME ~ /helena.tsv/ {
  seconds[$1] = $2
  space[$1] = $3
  next
}
{
  if (!n++)
    row("model|states|key bits|bytes a state|user seconds|Helena|ratio|peak MB|Helena")
  row($1 "|" $4 "|" $6 "|" sprintf("%.2f", $5) "|" sprintf("%.2f", $2) "|" \
      seconds[$1] "|" sprintf("%.1f x", seconds[$1] / ($2 + 0.001)) "|" \
      sprintf("%.0f", $3) "|" space[$1])
}
END { print_table() }
