#ifndef TL_READ_XML_H
#define TL_READ_XML_H

#include "base/input.h"

// XML as a stream, the only place that knows expat.  What an element means
// depends on where it stands, so a reader describes its kind of document by a
// table: an element of this name inside one in state `within` is in state
// `state`.  State 0 is the document; the first row that fits counts.  Elements
// without a row are skipped with all they contain.  Namespace prefixes are
// ignored.
//
// Nothing in the input is trusted: depth, the length of a tag and of a text,
// document types and entities are limited, external entities never read.

#define TL_XML_DEEPEST 1000                   // nested elements
#define TL_XML_LONGEST_TEXT ((size_t)1 << 21) // of a name, a number
#define TL_XML_LONGEST_TAG ((size_t)1 << 20)  // or comment

typedef struct tl_xml tl_xml;

typedef enum tl_xml_text {
  TL_XML_NO_TEXT,
  TL_XML_WHOLE, // the text of the element is handed to `close`
  TL_XML_PARTS  // the text is handed to `part` as it comes, of any length
} tl_xml_text;

#define TL_XML_INSIDE (-1) // any element of the table

typedef struct tl_xml_row {
  int within; // or TL_XML_INSIDE
  const char *element;
  int state; // above 0
  tl_xml_text text;
} tl_xml_row;

// Functions return TL_OK or what tl_xml_fail gave them.  Any may be null.
typedef struct tl_xml_form {
  const tl_xml_row *row;
  size_t rows;
  tl_status (*open) (void *context, tl_xml *, int state,
                     const char *const *attributes);
  tl_status (*part) (void *context, tl_xml *, int state, const char *text,
                     size_t length);
  // `text` ends with a zero byte and has no blanks around it.
  tl_status (*close) (void *context, tl_xml *, int state, const char *text,
                      size_t length);
  // An element without a row, inside one in state `within`; TL_OK: skip it.
  tl_status (*unknown) (void *context, tl_xml *, int within,
                        const char *element);
} tl_xml_form;

// Reads the document from the block at hand of `in` to its end.
tl_status tl_xml_read (const tl_xml_form *, void *context, tl_input *in,
                       tl_mem *, tl_error *);

// For use inside the functions of a form.
//
// From `open`: this element, with all it contains, is read by another form, in
// which it is in `state`.  Its end is told to that form, too.
void tl_xml_hand_over (tl_xml *, const tl_xml_form *, void *context, int state);
tl_status tl_xml_fail (tl_xml *, tl_status, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));
long tl_xml_line (const tl_xml *);
long tl_xml_column (const tl_xml *);
const char *tl_xml_attribute (const char *const *attributes, const char *name);

#endif
