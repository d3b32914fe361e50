// The way to a state: each level has its states with the events by which they
// were found, so the state before is the one with the last event undone, which
// the level before has.

#include "disk/disk.h"

#include <stdlib.h>

// By what the state was found.  TL_E_INTERNAL: it is not there.
static tl_status find_event (tl_disk *d, uint64_t depth, const uint64_t *key,
                             uint32_t *event) {
  tl_run_reader reader;
  uint64_t here[d->form.words];
  size_t count = 0;
  tl_status rc = tl_run_reader_open (&reader, &d->pages, &d->form, true);
  if (!rc)
    rc = tl_run_seek (&reader, d->level + depth, key, 0);
  if (!rc)
    rc = tl_run_read (&reader, 1, here, event, &count);
  if (!rc && (!count || tl_key_compare (here, key, d->form.words)))
    rc = TL_E_INTERNAL;
  tl_run_reader_close (&reader);
  return rc;
}

tl_status tl_disk_trace (tl_search *s, tl_trace *trace) {
  tl_disk *d = s->order_context;
  uint64_t key[d->form.words];
  tl_copy_words (key, d->asked, d->form.words);
  *trace = (tl_trace){.length = d->asked_depth};
  trace->transition = calloc (trace->length + 1, sizeof *trace->transition);
  tl_status rc = trace->transition ? TL_OK : TL_E_NOMEM;
  for (uint64_t depth = d->asked_depth; !rc && depth > 0; depth--) {
    uint32_t *event = trace->transition + depth - 1;
    if (!(rc = find_event (d, depth, key, event)))
      tl_code_undo (&s->code, *event, key);
  }
  if (rc)
    tl_trace_close (trace);
  return rc;
}
