#ifndef TL_READ_POSITION_H
#define TL_READ_POSITION_H

// Where something stands in an input; from 1, columns count characters.
typedef struct tl_position {
  long line, column;
} tl_position;

#endif
