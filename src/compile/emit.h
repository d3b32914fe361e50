#ifndef TL_COMPILE_EMIT_H
#define TL_COMPILE_EMIT_H

#include "compile/program.h"

// What the files that write the program share.
//
// A C function is written as a list of simple statements.  The values in
// between have names: n12 is a number, p12 points to the cells of a value, b12
// has room for one.  All of them are declared at the head of the function, so
// a pointer never outlives what it points to.  The variables of the net are in
// the frame f.  `goto wrong` gives up.

typedef struct tl_emit {
  const tl_coloured *net;
  FILE *out;     // the program: functions
  FILE *globals; // the program: constants, before the functions
  // Of the C function at hand.
  char *head_text, *body_text;
  size_t head_size, body_size;
  FILE *head; // declarations
  FILE *body;
  uint32_t names;  // that were given
  uint32_t many;   // name of how many there are of a token
  size_t cells;    // of all its rooms
  uint32_t nested; // terms and statements
  bool refused;    // it cannot be compiled
} tl_emit;

// A C function: everything between goes into it.  `open`: false, no memory.
bool tl_emit_open (tl_emit *);
tl_status tl_emit_close (tl_emit *, const char *kind, uint32_t number,
                         const char *parameters);

// New names.
uint32_t tl_emit_new_number (tl_emit *);
uint32_t tl_emit_new_pointer (tl_emit *);
uint32_t tl_emit_new_room (tl_emit *, uint32_t cells); // b, and p points to it

// Terms: the name of the number (n) or pointer (p) that has the value.
uint32_t tl_emit_number (tl_emit *, const tl_term *);
uint32_t tl_emit_cells (tl_emit *, const tl_term *);
// Numbers and cells of those kinds of terms that work on containers, vectors
// and structures.
uint32_t tl_emit_container_number (tl_emit *, const tl_term *);
uint32_t tl_emit_container_cells (tl_emit *, const tl_term *);
uint32_t tl_emit_iterator (tl_emit *, const tl_term *);
// Copies the value to cells: those of room `b`, or of the frame.
#define TL_TO_FRAME UINT32_MAX
void tl_emit_copy (tl_emit *, const tl_term *, uint32_t room, uint32_t offset);
// A call; the result is in a room of that name.
uint32_t tl_emit_call (tl_emit *, const tl_term *);
// A number with the offset of an element of the vector or list at `p`.
uint32_t tl_emit_offset (tl_emit *, const tl_type *, uint32_t pointer,
                         tl_term *const *index);

// Loops, around what is written between.
void tl_emit_loops (tl_emit *, const tl_loop *, uint32_t loops);
void tl_emit_loops_end (tl_emit *, uint32_t loops);

// Goes one level down in a term or statement; false: too deep.
bool tl_emit_down (tl_emit *);
void tl_emit_up (tl_emit *);

// Whole functions.
tl_status tl_emit_functions (tl_emit *);
tl_status tl_emit_find (tl_emit *, uint32_t transition, const tl_schedule *);
tl_status tl_emit_labels (tl_emit *, const char *kind, uint32_t transition,
                          const tl_carc *, uint32_t arcs);

// A value of a tuple: the name of a number, or of a pointer to its cells.
typedef struct tl_emit_known {
  uint32_t name;
  bool number;
} tl_emit_known;
enum { TL_EMIT_PARTS = 64 }; // of a tuple, at most
tl_emit_known tl_emit_value (tl_emit *, const tl_term *part);
// A task of a schedule that takes no token; returns how many blocks it opens.
uint32_t tl_emit_task (tl_emit *, const tl_ctransition *, const tl_task *);

// The text that every program begins with, and every kernel in it.
extern const char tl_program_prelude[];
extern const char tl_kernel_prelude[];

#endif
