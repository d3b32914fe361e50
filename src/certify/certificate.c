#include "certify/certificate.h"

#include "base/error.h"
#include "certify/write_proofs.h"
#include "explore/certify.h"

// Where the states have not been counted, so many are tried.
#define MOST_STATES 2000000

tl_status tl_certify_check_net (const tl_net *net, tl_error *error) {
  return tl_net_has_arcs (net)
             ? TL_OK
             : tl_fail (error, TL_E_ARG,
                        "certificates are for nets that are unfolded");
}

// ---- Without states --------------------------------------------------------

static bool has_any (const tl_certifying *c) {
  for (size_t i = 0; i < c->count; i++)
    if (tl_certify_has (c, c->question + i))
      return true;
  return false;
}

static tl_status write_alone (const tl_certifying *c, tl_answers *answers,
                              tl_error *error) {
  tl_record_writer w;
  if (!has_any (c))
    return TL_OK;
  tl_status rc = tl_records_create (&w, c->root, c->options->certificate,
                                    &tl_certificate_kind, error);
  if (rc)
    return rc;
  tl_certify_net (&w, c->net);
  tl_certify_sections (c, &w);
  rc = tl_records_finish (&w, TL_OK, error);
  if (!rc)
    answers->run.certificate_bytes = w.at;
  return rc;
}

// ---- With states -----------------------------------------------------------

static void write_sections (void *context, tl_record_writer *w) {
  tl_certify_sections (context, w);
}

// *complete: all states are in the file.
static tl_status write_with_states (tl_certifying *c, tl_answers *answers,
                                    bool *complete, tl_error *error) {
  const tl_visitor visitor = {.context = c, .certify = write_sections};
  tl_options how = *c->options;
  tl_exploration x;
  how.order = "bfs";
  how.stubborn = "none";
  how.engine = 0;
  how.device = 0;
  how.disk = 0;
  how.ranks = 0;
  if (!answers->run.complete || !answers->run.states)
    how.max_states = how.max_states && how.max_states < MOST_STATES
                         ? how.max_states
                         : MOST_STATES;
  const tl_status rc =
      tl_explore_on (c->root, c->net, &how, &visitor, &x, error);
  if (rc)
    return rc;
  *complete = x.complete && x.certificate_bytes;
  answers->run.certificate_bytes = x.certificate_bytes;
  tl_exploration_close (&x);
  return TL_OK;
}

// ---- Telling ---------------------------------------------------------------

static const char *proof_of (const tl_certify_question *q) {
  static const char *const word[8] = {"the initial marking",
                                      "invariants",
                                      "a run",
                                      "invariants and a run",
                                      "all states",
                                      "invariants and all states",
                                      "a run and all states",
                                      "invariants, a run and all states"};
  unsigned by = 0;
  for (uint32_t i = 0; i < q->goals; i++)
    by |= q->goal[i].evidence ? 1U << (q->goal[i].evidence - 1) : 0;
  return word[by];
}

static void tell (const tl_certifying *c) {
  for (size_t i = 0; i < c->count; i++) {
    const tl_certify_question *q = c->question + i;
    tl_answer *a = q->answer;
    a->certified = tl_certify_has (c, q) ? proof_of (q) : 0;
    a->uncertified_why =
        a->certified ? 0
        : q->why_not ? q->why_not
                     : "no short proof was found, and there are too many "
                       "states for a list of them";
  }
}

static tl_status certify (tl_certifying *c, tl_answers *answers,
                          tl_error *error) {
  tl_status rc = tl_certifying_find (c, error);
  bool complete = false;
  if (!rc && tl_certifying_by_states (c, true)) {
    rc = write_with_states (c, answers, &complete, error);
    if (!rc && !complete)
      (void)tl_certifying_by_states (c, false);
  }
  if (!rc && !complete)
    rc = write_alone (c, answers, error);
  if (!rc)
    tell (c);
  return rc;
}

tl_status tl_certify_answers (tl_mem *root, const tl_net *net,
                              const tl_questions *questions,
                              const tl_options *options, tl_answers *answers,
                              tl_error *error) {
  tl_certifying c;
  tl_status rc =
      tl_certifying_open (&c, root, net, questions, options, answers);
  if (rc)
    tl_fail (error, rc, "no memory for the certificate");
  else
    rc = certify (&c, answers, error);
  tl_certifying_close (&c);
  return rc;
}
