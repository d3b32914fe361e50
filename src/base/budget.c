#include "base/budget.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"

tl_budget tl_budget_of (double seconds, const volatile int *cancel) {
  return (tl_budget){seconds > 0 ? tl_clock () + seconds : 0, cancel};
}

tl_status tl_budget_look (const tl_mem *mem) {
  const tl_budget *b = tl_mem_budget (mem);
  if (b && tl_cancelled (b->cancel))
    return TL_E_CANCEL;
  return b && b->deadline > 0 && tl_clock () >= b->deadline ? TL_E_LIMIT
                                                            : TL_OK;
}

double tl_budget_left (const tl_mem *mem, double seconds) {
  const tl_budget *b = tl_mem_budget (mem);
  if (!b || b->deadline <= 0)
    return seconds;
  const double left = b->deadline - tl_clock ();
  return left <= 0 ? 0 : left < seconds ? left : seconds;
}

tl_budget tl_budget_part (const tl_mem *mem, double seconds) {
  const tl_budget *b = tl_mem_budget (mem);
  return (tl_budget){tl_clock () + tl_budget_left (mem, seconds),
                     b ? b->cancel : 0};
}

tl_status tl_budget_end (tl_status status, const tl_mem *mem, const char *path,
                         const char *doing, tl_error *err) {
  const tl_status late = tl_budget_look (mem);
  if (status && status != TL_E_NOMEM && late)
    status = late;
  else if (status != TL_E_NOMEM)
    return status;
  return tl_fail_at (err, status, path, 0, 0, "%s while %s",
                     status == TL_E_NOMEM   ? "the memory budget was reached"
                     : status == TL_E_LIMIT ? "the time limit was reached"
                                            : "it was interrupted",
                     doing);
}
