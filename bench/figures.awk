# Functions on results: lines model,mode,figure,figure,...

# Takes the line at hand; models are numbered in the order they appear.
function take(    n, c) {
  if (!($1 in known)) {
    known[$1] = ++models
    model[models] = $1
  }
  n = ++runs[$1, $2]
  for (c = 3; c <= NF; c++)
    value[$1, $2, c, n] = $c + 0
}

# The median of a column over the runs of a model in a mode; 0: there are none.
function median(name, mode, c,    n, i, k, t, v) {
  n = runs[name, mode]
  if (!n)
    return 0
  for (i = 1; i <= n; i++) {
    t = value[name, mode, c, i]
    for (k = i; k > 1 && v[k - 1] > t; k--)
      v[k] = v[k - 1]
    v[k] = t
  }
  return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

# The median over the runs of one column in a mode divided by that in another:
# runs of the same round stand side by side, so what slows both cancels out.
function ratio(name, mode, other, c,    n, i) {
  n = runs[name, mode] < runs[name, other] ? runs[name, mode] \
                                           : runs[name, other]
  runs[name, "ratio"] = n
  for (i = 1; i <= n; i++)
    value[name, "ratio", 0, i] = value[name, mode, c, i] / \
                                 value[name, other, c, i]
  return median(name, "ratio", 0)
}

function commas(n,    s, out) {
  s = sprintf("%.0f", n)
  for (; length(s) > 3; s = substr(s, 1, length(s) - 3))
    out = "," substr(s, length(s) - 2) out
  return s out
}

# A figure, or nothing where there is none.
function figure(format, n) { return n ? sprintf(format, n) : "" }

# A table in Markdown.  Cells come in rows of text with | between them.
function row(text,    i, n, part) {
  rows++
  n = split(text, part, "|")
  if (n > columns)
    columns = n
  for (i = 1; i <= n; i++) {
    cell[rows, i] = part[i]
    if (length(part[i]) > width[i])
      width[i] = length(part[i])
  }
}

function pad(n, fill,    s) {
  while (n-- > 0)
    s = s fill
  return s
}

function print_table(    r, i, line, space) {
  for (r = 1; r <= rows; r++) {
    line = "|"
    for (i = 1; i <= columns; i++) {
      space = pad(width[i] - length(cell[r, i]), " ")
      line = line " " (i == 1 ? cell[r, i] space : space cell[r, i]) " |"
    }
    print line
    for (i = 1; r == 1 && i <= columns; i++)
      printf "|%s%s", pad(width[i] + 1, "-"), i == 1 ? "-" : ":"
    if (r == 1)
      print "|"
  }
}

# The fewest bits a state can take, on average, where N of 2^bits are stored.
function information_bound(bits, n,    b) {
  b = n ? bits - log(n) / log(2) + 1.44 : 0
  return b > 0 ? b : 0
}
