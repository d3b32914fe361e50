#ifndef TL_BASE_SIZED_H
#define TL_BASE_SIZED_H

#include "tideline.h"

// Structs of the public header that begin with their size.  A program that was
// built with another version of the header has shorter or longer ones; inside
// the library all are whole.  At the border what both sides know is copied.

// Copies what the given struct has, the rest is zero; the size is that of the
// whole one.  False: there is none, or its size cannot be one.
bool tl_sized_take (void *whole, size_t size, const void *given);
#define TL_TAKE(WHOLE, GIVEN) tl_sized_take ((WHOLE), sizeof *(WHOLE), (GIVEN))

// Makes the struct of the caller empty, up to its size.  False: as above.
bool tl_sized_clear (void *out);

// Moves as much as the caller's struct has from the whole one, in which the
// rest stays, to be closed.
void tl_sized_give (void *out, void *whole, size_t size);
#define TL_GIVE(OUT, WHOLE) tl_sized_give ((OUT), (WHOLE), sizeof *(WHOLE))

// Can a struct be as long?
bool tl_sized_is (size_t size);

// The same for arrays of such structs, `from` bytes long here and `to` there.
// They are made with malloc; null: no memory.
void *tl_sized_give_array (void *array, size_t count, size_t from, size_t to);
void *tl_sized_take_array (const void *array, size_t count, size_t from,
                           size_t to);

// Answers as a caller has them, in whole; the contents are borrowed.  False: no
// answers, or no memory.
bool tl_answers_take (tl_answers *whole, const tl_answers *given);
void tl_answers_release (tl_answers *whole, const tl_answers *given);

// The same for measures.
bool tl_candidates_take (tl_candidates *whole, const tl_candidates *given);
void tl_candidates_release (tl_candidates *whole, const tl_candidates *given);

#endif
