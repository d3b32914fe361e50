# The table of the program-like net.  Columns of a line: 1 model, 2 mode,
# 3 states, 5 seconds, 6 bytes a state.  The paper's: 1 mode, 2 and 3 bytes.

FILENAME ~ /paper/ {
  if (!/^#/) {
    mode[++modes] = $1
    paper[$1] = $2 "|" $3
  }
  next
}
{ take() }

function cells(name, mode) {
  return runs[name, mode] ? sprintf("%.2f|%.1f", median(name, mode, 6), \
                                    median(name, mode, 5)) : "-|-"
}

END {
  head = "store"
  for (m = 1; m <= models; m++)
    head = head "|" commas(median(model[m], mode[1], 3)) " states: bytes|seconds"
  row(head "|paper, 34,731 states: bytes|635,463 states: bytes")
  for (i = 1; i <= modes; i++) {
    name = mode[i]
    sub(/ /, ", k = ", name)
    text = name
    for (m = 1; m <= models; m++)
      text = text "|" cells(model[m], mode[i])
    row(text "|" paper[mode[i]])
  }
  print_table()
}
