// The calls that search a net.

#include "api/api_runs.h"

#include "api/api_call.h"
#include "api/api_ranks.h"
#include "api/explorers.h"
#include "base/error.h"
#include "base/sized.h"
#include "certify/certificate.h"
#include "check/check.h"

tl_status tl_explore_sized (const tl_net *net, const tl_options *options,
                            tl_exploration *result, tl_error *error) {
  tl_api_call call;
  tl_explorer *explore;
  tl_exploration whole;
  tl_status rc = tl_api_open (&call, options, result, error);
  if (!rc && !net)
    rc = tl_api_lacks ("tl_explore", "a net", error);
  if (!rc)
    rc = tl_explorer_parse (&explore, &call.options, error);
  if (rc || (rc = explore (&call, net, &whole, error)))
    return rc;
  TL_GIVE (result, &whole);
  tl_exploration_close (&whole);
  return TL_OK;
}

// Hands over the answers, in elements of the caller's size.
static tl_status give (tl_answers *out, size_t stride, tl_answers *whole,
                       tl_error *error) {
  tl_answer *const rest = whole->answer;
  const size_t count = whole->count;
  tl_answer *given =
      tl_sized_give_array (rest, count, sizeof *whole->answer, stride);
  if (!given)
    return tl_fail (error, TL_E_NOMEM, "no memory for the answers");
  whole->answer = given;
  whole->answer_size = stride;
  TL_GIVE (out, whole);
  out->run.size = out->size - offsetof (tl_answers, run);
  whole->answer = rest;
  whole->answer_size = sizeof *whole->answer;
  whole->count = count;
  return TL_OK;
}

tl_status tl_check_run (const tl_net *net, const tl_saved *saved,
                        const tl_questions *questions,
                        const tl_options *options, tl_answers *out,
                        tl_error *error) {
  tl_api_call call;
  tl_answers whole;
  const size_t stride = out ? out->answer_size : 0;
  tl_status rc = tl_api_open (&call, options, out, error);
  if (!rc && !tl_sized_is (stride))
    rc = tl_api_lacks ("tl_check", "the size of an answer", error);
  if (!rc && (!net || !questions))
    rc = tl_api_lacks ("tl_check", "a net and questions", error);
  if (!rc && questions->net != net)
    rc = tl_fail (error, TL_E_ARG, "the questions are about another net");
  const char *certificate = call.options.certificate;
  call.options.certificate = 0;
  if (!rc && certificate && saved)
    rc = tl_fail (error, TL_E_ARG, "answers from a graph have no certificate");
  if (!rc && certificate && call.options.checkpoint)
    rc = tl_fail (error, TL_E_ARG,
                  "a check with checkpoints has no certificate");
  if (!rc && certificate)
    rc = tl_certify_check_net (net, error);
  tl_fleet team;
  if (!rc && !tl_ranks_fleet (&call.options, &team))
    call.options.ranks = 0;
  if (rc || (rc = tl_check_on (&call.root, net, saved, questions, &call.options,
                               &whole, error)))
    return rc;
  call.options.certificate = certificate;
  if (certificate)
    rc = tl_certify_answers (&call.root, net, questions, &call.options, &whole,
                             error);
  if (!rc)
    rc = give (out, stride, &whole, error);
  tl_answers_close (&whole);
  return rc;
}

tl_status tl_check_sized (const tl_net *net, const tl_questions *questions,
                          const tl_options *options, tl_answers *out,
                          tl_error *error) {
  return tl_check_run (net, 0, questions, options, out, error);
}
