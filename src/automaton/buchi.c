#include "automaton/buchi.h"

#include "automaton/atoms.h"
#include "automaton/general.h"
#include "automaton/automaton_reduce.h"
#include "base/error.h"

static tl_status too_large (tl_error *err) {
  return tl_fail (err, TL_E_LIMIT,
                  "the automaton of a formula would be too large");
}

// The formula over atoms, simplified.
static tl_status read_formula (tl_buchi *b, tl_paths *paths,
                               const tl_formula *f, tl_path *path,
                               tl_error *err) {
  if (!TL_ARENA_NEW (&b->arena, b->atom, TL_BUCHI_ATOMS))
    return TL_E_NOMEM;
  tl_atoms atoms = {.arena = &b->arena,
                    .paths = paths,
                    .atom = b->atom,
                    .most = TL_BUCHI_ATOMS};
  *path = tl_atoms_path (&atoms, f, false);
  b->atoms = atoms.count;
  if (atoms.too_many)
    return tl_fail (err, TL_E_LIMIT,
                    "a path formula has more than %u different parts that "
                    "speak of one state",
                    TL_BUCHI_ATOMS);
  if (!*path)
    return paths->rc == TL_E_LIMIT ? too_large (err) : paths->rc;
  b->stutter_invariant = !tl_path_at (paths, *path)->has_next;
  return TL_OK;
}

static tl_status make (tl_buchi *b, tl_paths *paths, const tl_formula *f,
                       tl_error *err) {
  tl_path path = TL_PATH_NONE;
  tl_status rc = tl_paths_open (paths, b->mem);
  if (rc || (rc = read_formula (b, paths, f, &path, err)))
    return rc;
  rc = tl_general_build (&b->general, paths, path);
  if (!rc)
    rc = tl_automaton_reduce (&b->general);
  if (!rc)
    rc = tl_automaton_degeneralise (&b->general, &b->plain);
  if (!rc)
    rc = tl_automaton_reduce (&b->plain);
  if (!rc)
    rc = tl_automaton_finish (&b->general);
  if (!rc)
    rc = tl_automaton_finish (&b->plain);
  return rc == TL_E_LIMIT ? too_large (err) : rc;
}

tl_status tl_buchi_open (tl_buchi **out, tl_mem *mem, const tl_formula *f,
                         tl_error *err) {
  tl_paths paths;
  tl_buchi *b;
  *out = 0;
  if (!TL_NEW (mem, b, 1))
    return tl_fail (err, TL_E_NOMEM,
                    "no memory for the automaton of a formula");
  b->mem = mem;
  b->arena = TL_ARENA (mem);
  b->general = TL_AUTOMATON (mem);
  b->plain = TL_AUTOMATON (mem);
  tl_status rc = make (b, &paths, f, err);
  tl_paths_close (&paths);
  if (!rc) {
    *out = b;
    return TL_OK;
  }
  tl_buchi_close (b);
  if (rc == TL_E_NOMEM)
    tl_fail (err, rc, "no memory for the automaton of a formula");
  return rc;
}

void tl_buchi_close (tl_buchi *b) {
  if (!b)
    return;
  tl_mem *mem = b->mem;
  tl_automaton_close (&b->general);
  tl_automaton_close (&b->plain);
  tl_arena_close (&b->arena);
  TL_DEL (mem, b, 1);
}
