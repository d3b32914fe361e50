#include "verify/verify.h"

#include "base/clock.h"
#include "base/error.h"
#include "verify/closure.h"
#include "verify/proven.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const tl_record_kind certificate = {"cert", 1, "certificate"};

// ---- What is claimed -------------------------------------------------------

static tl_status compare (const char *what, uint64_t claimed, uint64_t found,
                          tl_error *err) {
  return claimed == found
             ? TL_OK
             : tl_fail (err, TL_E_MODEL, "%s: %llu are claimed, there are %llu",
                        what, (unsigned long long)claimed,
                        (unsigned long long)found);
}

static tl_status compare_figures (const tl_cert_figures *claimed,
                                  const tl_cert_figures *seen, tl_error *err) {
  const struct {
    const char *what;
    uint64_t claimed, seen;
  } row[] = {
      {"states", claimed->states, seen->states},
      {"arcs", claimed->arcs, seen->arcs},
      {"deadlocks", claimed->deadlocks, seen->deadlocks},
      {"dead transitions", claimed->dead_transitions, seen->dead_transitions},
      {"tokens in a place", claimed->max_tokens_in_place,
       seen->max_tokens_in_place},
      {"tokens in a marking", claimed->max_tokens_per_marking,
       seen->max_tokens_per_marking},
      {"steps to the deepest state", claimed->depth, seen->depth}};
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < sizeof row / sizeof *row; i++)
    rc = compare (row[i].what, row[i].claimed, row[i].seen, err);
  return rc;
}

static void tell_figures (const tl_cert_figures *f, tl_verification *v) {
  v->states = f->states;
  v->arcs = f->arcs;
  v->deadlocks = f->deadlocks;
  v->dead_transitions = f->dead_transitions;
  v->max_tokens_in_place = f->max_tokens_in_place;
  v->max_tokens_per_marking = f->max_tokens_per_marking;
  v->depth = f->depth;
}

// ---- The file --------------------------------------------------------------

// Nothing may follow the last section: sums are about all of the file.
static tl_status read_end (tl_cert_source *s) {
  const tl_status rc = tl_records_section (s->records, s->error);
  return rc || !s->records->type[0]
             ? rc
             : tl_cert_malformed (s, "there should be no such section");
}

// What is at hand.
typedef struct checking {
  tl_mem *mem;
  tl_cert_source *source;
  const unsigned char *base; // the file
  tl_cert_net net;
  tl_cert_questions questions;
  tl_verification *found;
} checking;

static void see (void *context, const uint64_t *tokens) {
  tl_cert_questions_see (context, tokens);
}

// The section of the code is at hand.
static tl_status check_states (checking *c) {
  tl_cert_source *s = c->source;
  tl_key_code code;
  tl_key_stream stream = {0};
  tl_cert_figures claimed, seen = {0};
  const tl_closure_watch watch = {&c->questions, see};
  tl_status rc = tl_key_code_read (s, &c->net, &code);
  if (!rc)
    rc = tl_cert_read_figures (s, &claimed);
  if (!rc)
    rc = tl_records_expect (s->records, "stat", s->error);
  if (!rc)
    rc = tl_key_stream_open (&stream, c->mem, s, c->base, code.bits);
  if (!rc)
    rc = read_end (s);
  if (!rc)
    rc = tl_closure_check (c->mem, &code, &stream,
                           c->questions.needs_states ? &watch : 0, &seen,
                           s->error);
  if (!rc)
    rc = compare_figures (&claimed, &seen, s->error);
  if (!rc) {
    tell_figures (&seen, c->found);
    c->found->has_states = true;
    tl_cert_questions_seen (&c->questions);
  }
  tl_key_stream_close (&stream);
  return rc;
}

static bool is_section (const tl_cert_source *s, const char *type) {
  return !strcmp (s->records->type, type);
}

// Questions, or states, or both.
static tl_status check_sections (checking *c) {
  tl_cert_source *s = c->source;
  tl_status rc = tl_records_section (s->records, s->error);
  const bool asks = !rc && is_section (s, "fact");
  if (asks) {
    rc = tl_cert_questions_read (c->mem, s, &c->net, &c->questions);
    if (!rc)
      rc = tl_records_section (s->records, s->error);
  }
  if (rc)
    return rc;
  if (is_section (s, "code"))
    return check_states (c);
  if (!asks || s->records->type[0])
    return tl_cert_malformed (s, "there should be no such section");
  return c->questions.needs_states
             ? tl_fail (s->error, TL_E_MODEL, "the states are missing")
             : TL_OK;
}

static tl_status check (checking *c, const tl_verify_net *about) {
  tl_verification *v = c->found;
  tl_error *error = c->source->error;
  tl_status rc = tl_cert_read_net (c->source, &c->net);
  if (rc)
    return rc;
  snprintf (v->model, sizeof v->model, "%s", c->net.name);
  v->places = c->net.places;
  v->transitions = c->net.transitions;
  c->questions = (tl_cert_questions){.net = &c->net};
  if (about)
    rc = about->compare (about->context, &c->net, error);
  if (!rc)
    rc = check_sections (c);
  if (!rc)
    rc = tl_cert_questions_judge (&c->questions, c->mem, error);
  return rc ? rc : tl_cert_questions_tell (&c->questions, v, error);
}

tl_status tl_verify_bytes (tl_mem *mem, const char *name, const void *bytes,
                           size_t length, const tl_verify_net *about,
                           tl_verification *v, tl_error *err) {
  const double start = tl_clock ();
  tl_error why = {0};
  tl_record_reader records;
  tl_arena arena = TL_ARENA (mem);
  tl_cert_source source = {&records, &arena, length, &why};
  *v = (tl_verification){.size = sizeof *v, .bytes = length};
  tl_status rc = tl_records_open_memory (&records, mem, name, bytes, length,
                                         &certificate, &why);
  checking c = {.mem = mem, .source = &source, .base = bytes, .found = v};
  if (!rc)
    rc = check (&c, about);
  tl_records_close (&records);
  tl_arena_close (&arena);
  v->seconds = tl_clock () - start;
  v->verified = !rc;
  if (rc == TL_E_MODEL) {
    snprintf (v->reason, sizeof v->reason, "%s", why.text);
    return TL_OK;
  }
  if (rc && err)
    *err = why;
  return rc;
}

tl_status tl_verify_on (tl_mem *mem, const char *path,
                        const tl_verify_net *about, tl_verification *v,
                        tl_error *err) {
  struct stat status;
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat (fd, &status)) {
    const tl_status rc = tl_fail_at (err, TL_E_IO, path, 0, 0,
                                     "cannot read: %s", strerror (errno));
    if (fd >= 0)
      close (fd);
    return rc;
  }
  void *base = MAP_FAILED;
  const bool is_file = S_ISREG (status.st_mode) && status.st_size;
  if (is_file)
    base = mmap (0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close (fd);
  if (!is_file)
    return tl_fail_at (err, TL_E_SYNTAX, path, 0, 0,
                       "this is not a certificate written by tideline");
  if (base == MAP_FAILED)
    return tl_fail_at (err, TL_E_IO, path, 0, 0, "cannot map: %s",
                       strerror (errno));
  const tl_status rc =
      tl_verify_bytes (mem, path, base, (size_t)status.st_size, about, v, err);
  munmap (base, (size_t)status.st_size);
  return rc;
}
