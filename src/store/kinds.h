#ifndef TL_STORE_KINDS_H
#define TL_STORE_KINDS_H

#include "store/store.h"

// The kinds of stores, in the order in which people see them: name in the
// code, name on the command line, what to say of it.  A new kind is one file
// and one line here.
#define TL_STORE_KINDS(KIND)                                                   \
  KIND (plain, "plain", "whole states: the fastest, and the largest")          \
  KIND (table, "table", "remainders of states: one to four bytes each")        \
  KIND (tree, "tree", "parts of states, each kept once: for long states")      \
  KIND (delta, "delta", "differences between states: the leanest, not fast")   \
  KIND (table, "collapse", "numbers of local markings; unfolded it is table")  \
  KIND (delta, "delta+collapse", "differences of these, for 45 bits and more")

#define DECLARE(SYMBOL, NAME, BLURB)                                           \
  extern const tl_store_kind tl_store_##SYMBOL;
TL_STORE_KINDS (DECLARE)
#undef DECLARE

#endif
