# The table of regress transitions: for how many nets maxfs is better (+) and worse
# (-) than schmidt.  Columns of a line: 1 model, 2 measure, 3 stubborn sets,
# 4 complete, 5 regress transitions, 6 most stored, 7 persistent, 8 sweeps.  The
# paper's: as its file says.

FILENAME ~ /paper/ {
  if (!/^#/)
    paper[$1] = $2 "|" $3 "|" $4 "|" $5 "|" $6
  next
}
{
  whole[$1, $2, $3] = $4 == "true"
  for (c = 5; c <= 8; c++)
    value[$1, $2, $3, c] = $c
  if (!($1 in known)) {
    known[$1] = 1
    model[++models] = $1
  }
}

# Of a figure that is better the smaller it is.
function compare(stubborn, c,    i, a, b, better, worse) {
  for (i = 1; i <= models; i++) {
    if (c > 5 && !(whole[model[i], "maxfs", stubborn] &&
                   whole[model[i], "schmidt", stubborn]))
      continue
    a = value[model[i], "maxfs", stubborn, c]
    b = value[model[i], "schmidt", stubborn, c]
    better += a < b
    worse += a > b
  }
  return "+" better + 0 " -" worse + 0
}

function completed(stubborn,    i, a, b, better, worse) {
  for (i = 1; i <= models; i++) {
    a = whole[model[i], "maxfs", stubborn]
    b = whole[model[i], "schmidt", stubborn]
    better += a > b
    worse += a < b
  }
  return "+" better + 0 " -" worse + 0
}

END {
  row("stubborn sets|complete|regress transitions|stored|persistent|sweeps|" \
      "paper: complete|regress transitions|stored|persistent|sweeps")
  split("none deadlock", how, " ")
  for (s = 1; s <= 2; s++)
    row(how[s] "|" completed(how[s]) "|" compare(how[s], 5) "|" \
        compare(how[s], 6) "|" compare(how[s], 7) "|" compare(how[s], 8) "|" \
        paper[how[s]])
  print_table()
  print "\nOf " models " nets."
}
