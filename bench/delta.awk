# The table of delta-markings.  Columns of a line: 1 model, 2 plain, every (plain
# with every place in the keys) or k, 5 seconds, 6 bytes per state.  The paper's: 1
# family, 2 size, then time and memory for each k.

FILENAME ~ /paper/ {
  for (k = 0; !/^#/ && k < 4; k++) {
    time[$1, k] = $(3 + 2 * k)
    space[$1, k] = $(4 + 2 * k)
    size[$1] = $2
  }
  next
}
{ take() }
$2 == "every" { every = 1 }

# What delta takes of what another mode does, in column c.
function share(c, other) {
  return sprintf("%.0f %%", 100 * ratio(name, ks[k], other, c))
}

END {
  n = split("5 10 20 50", ks, " ")
  row("model|k|bytes a state|plain|of plain|" \
      (every ? "plain, every place|of that|" : "") "paper|time|paper")
  for (m = 1; m <= models; m++)
    for (k = 1; k <= n; k++) {
      name = model[m]
      if (!runs[name, ks[k]])
        continue
      family = name
      sub(/-[0-9].*$/, "", family)
      split(name, word, " ")
      row(name (word[1] == family "-" size[family] ? "" : \
                " (paper: " size[family] ")") "|" ks[k] "|" \
          sprintf("%.2f", median(name, ks[k], 6)) "|" \
          sprintf("%.2f", median(name, "plain", 6)) "|" \
          share(6, "plain") "|" \
          (every ? sprintf("%.2f", median(name, "every", 6)) "|" \
                   share(6, "every") "|" : "") \
          space[family, k - 1] " %|" \
          share(5, "plain") "|" \
          time[family, k - 1] " %")
    }
  print_table()
}
