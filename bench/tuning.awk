# Lines of runs with the number as it is, then with another: number of the run,
# seconds, resident bytes, what is stored.
{ file = FNR == NR ? 1 : 2 }
{
  k = file SUBSEP $1
  if (!(k in time) || $2 < time[k])
    time[k] = $2
  memory[k] = $3
  stored[k] = $4
  runs[$1]
}

function ratio(of, floor,    r, sum, n) {
  for (r in runs)
    if (of[1, r] > 0 && of[2, r] > 0) {
      sum += log((of[2, r] + floor) / (of[1, r] + floor))
      n++
    }
  return n ? sprintf("%.2f", exp(sum / n)) : "-"
}

END {
  printf " %s | %s | %s | %s |", other, ratio(time, 0.005), ratio(memory, 0), \
    ratio(stored, 0)
}
