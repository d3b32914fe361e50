# The table of measures.  Columns of a line: 1 model, 2 bfs or measure,
# 3 states, 4 most stored, 5 visits, 6 seconds, 9 window, 12 measure, 13 seconds
# of these to choose it.  "insisted" is the sweep that sampled does not make, since
# it does not pay.

{
  take()
  found[$1, $2] = $12
}

function stored(name, mode, states,    peak) {
  peak = median(name, mode, 4)
  return peak ? sprintf("%.1f %%|%.2f", 100 * peak / states,
                        median(name, mode, 5) / states) : "|"
}

function choice(name) {
  if (found[name, "sampled"] == "none")
    return "none"
  return found[name, "sampled"] ", " median(name, "sampled", 9)
}

# Compares sampled with another measure, where both ended.
function compare(other,    m, name, n, sum, better, worse, a, b, lost) {
  for (m = 1; m <= models; m++) {
    name = model[m]
    a = median(name, "sampled", 4)
    b = median(name, other, 4)
    if (!a || !b)
      continue
    n++
    sum += log(b / a)
    better += a < b
    if (a > b) {
      worse++
      lost = lost (lost ? ", " : "") sprintf("%s (%.2f times)", name, a / b)
    }
  }
  if (n)
    printf "\nAgainst %s, on %d nets: the most states stored are %.2f times " \
           "fewer on the geometric mean; fewer on %d nets, more on %d%s.\n",
           other, n, exp(sum / n), better, worse, lost ? ": " lost : ""
}

function costs(    m, name, states, n, visits, peaks) {
  for (m = 1; m <= models; m++) {
    name = model[m]
    states = median(name, "bfs", 3)
    if (!states || !median(name, "sampled", 4))
      continue
    n++
    visits += log(median(name, "sampled", 5) / states)
    peaks += log(median(name, "sampled", 4) / states)
  }
  if (n)
    printf "\nSampled stores %.1f %% of the states at most and visits a state " \
           "%.2f times, on the geometric mean.\n", 100 * exp(peaks / n),
           exp(visits / n)
}

# What comes after the sampling.
function swept(name, mode) {
  return median(name, mode, 6) - median(name, mode, 13)
}

# The time of that beside breadth-first; where this is so short that only noise
# would be compared, it is not counted.
function times(mode, what,    m, name, bfs, t, n, sum, worst, lost) {
  for (m = 1; m <= models; m++) {
    name = model[m]
    bfs = median(name, "bfs", 6)
    if (bfs < 0.05 || !median(name, mode, 4))
      continue
    t = swept(name, mode) / bfs
    n++
    sum += log(t)
    if (t > worst) {
      worst = t
      lost = name
    }
  }
  if (n)
    printf "\n%s takes %.2f times the time of breadth-first on the geometric " \
           "mean of %d nets with 0.05 s or more, and at most %.2f times (%s).\n",
           what, exp(sum / n), n, worst, lost
}

# What is lost beside breadth-first when the measure is chosen.
function losses(    m, name, n, lost, most, which) {
  for (m = 1; m <= models; m++) {
    name = model[m]
    if (!median(name, "bfs", 6) || !median(name, "sampled", 4))
      continue
    n++
    lost = swept(name, "sampled") - median(name, "bfs", 6)
    if (lost > most) {
      most = lost
      which = name
    }
  }
  if (n)
    printf "\nOn %d nets it loses %.3f s at most (%s), beside the sampling.\n",
           n, most, which
}

function insisted(name, states) {
  if (!median(name, "insisted", 4))
    return "|"
  return sprintf("%.1f %%|%.2f s", 100 * median(name, "insisted", 4) / states,
                 swept(name, "insisted"))
}

END {
  row("model|states|schmidt|visits|maxfs|visits|sampled|visits|chosen, " \
      "window|sampling|search|bfs|insisted|search")
  for (m = 1; m <= models; m++) {
    name = model[m]
    states = median(name, "bfs", 3)
    if (!states)
      continue
    row(name "|" commas(states) "|" stored(name, "schmidt", states) "|" \
        stored(name, "maxfs", states) "|" stored(name, "sampled", states) "|" \
        choice(name) "|" figure("%.1f s", median(name, "sampled", 13)) "|" \
        figure("%.2f s", swept(name, "sampled")) "|" \
        figure("%.2f s", median(name, "bfs", 6)) "|" insisted(name, states))
  }
  print_table()
  compare("schmidt")
  compare("maxfs")
  costs()
  times("sampled", "When the measure is chosen, the search")
  losses()
  times("insisted", "A sweep that does not pay, made all the same,")
}
