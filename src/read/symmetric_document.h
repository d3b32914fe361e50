#ifndef TL_READ_SYMMETRIC_DOCUMENT_H
#define TL_READ_SYMMETRIC_DOCUMENT_H

#include "colour/coloured.h"
#include "read/xml.h"

// A PNML symmetric net as its file has it: nodes, arcs, and the elements of
// declarations and terms as a tree.  Declarations may come after what uses
// them, so nothing is understood before the whole document was read.

// The elements that stand in a <structure>, each with the two attributes that
// say what it means.
#define TL_TAGS(TAG)                                                           \
  TAG (DECLARATIONS, "declarations", 0, 0)                                     \
  TAG (NAMED_SORT, "namedsort", "id", "name")                                  \
  TAG (VARIABLE_DECLARATION, "variabledecl", "id", "name")                     \
  TAG (PARTITION, "partition", "id", "name")                                   \
  TAG (PARTITION_ELEMENT, "partitionelement", "id", "name")                    \
  TAG (CYCLIC_ENUMERATION, "cyclicenumeration", 0, 0)                          \
  TAG (FINITE_ENUMERATION, "finiteenumeration", 0, 0)                          \
  TAG (ENUMERATION_CONSTANT, "feconstant", "id", "name")                       \
  TAG (RANGE, "finiteintrange", "start", "end")                                \
  TAG (DOT, "dot", 0, 0)                                                       \
  TAG (BOOL, "bool", 0, 0)                                                     \
  TAG (PRODUCT_SORT, "productsort", 0, 0)                                      \
  TAG (USER_SORT, "usersort", "declaration", 0)                                \
  TAG (SUBTERM, "subterm", 0, 0)                                               \
  TAG (ADD, "add", 0, 0)                                                       \
  TAG (SUBTRACT, "subtract", 0, 0)                                             \
  TAG (NUMBER_OF, "numberof", 0, 0)                                            \
  TAG (SCALAR_PRODUCT, "scalarproduct", 0, 0)                                  \
  TAG (NUMBER, "numberconstant", "value", 0)                                   \
  TAG (ALL, "all", 0, 0)                                                       \
  TAG (EMPTY, "empty", 0, 0)                                                   \
  TAG (TUPLE, "tuple", 0, 0)                                                   \
  TAG (VARIABLE, "variable", "refvariable", 0)                                 \
  TAG (USER_OPERATOR, "useroperator", "declaration", 0)                        \
  TAG (DOT_CONSTANT, "dotconstant", 0, 0)                                      \
  TAG (BOOL_CONSTANT, "booleanconstant", "value", 0)                           \
  TAG (RANGE_CONSTANT, "finiteintrangeconstant", "value", 0)                   \
  TAG (SUCCESSOR, "successor", 0, 0)                                           \
  TAG (PREDECESSOR, "predecessor", 0, 0)                                       \
  TAG (PARTITION_ELEMENT_OF, "partitionelementof", "refpartition", 0)          \
  TAG (AND, "and", 0, 0)                                                       \
  TAG (OR, "or", 0, 0)                                                         \
  TAG (NOT, "not", 0, 0)                                                       \
  TAG (IMPLY, "imply", 0, 0)                                                   \
  TAG (EQUALITY, "equality", 0, 0)                                             \
  TAG (INEQUALITY, "inequality", 0, 0)                                         \
  TAG (LESS, "lessthan", 0, 0)                                                 \
  TAG (LESS_EQUAL, "lessthanorequal", 0, 0)                                    \
  TAG (GREATER, "greaterthan", 0, 0)                                           \
  TAG (GREATER_EQUAL, "greaterthanorequal", 0, 0)                              \
  TAG (PARTITION_LESS, "ltp", 0, 0)                                            \
  TAG (PARTITION_GREATER, "gtp", 0, 0)

typedef enum tl_tag {
#define TAG(NAME, ELEMENT, FIRST, SECOND) TL_TAG_##NAME,
  TL_TAGS (TAG)
#undef TAG
} tl_tag;

typedef struct tl_element tl_element;

struct tl_element {
  tl_tag tag;
  tl_where where;
  const char *first, *second; // its attributes, or null
  tl_element *inside, *last;  // what it contains
  tl_element *next;           // of the same parent
};

typedef struct tl_xml_place {
  const char *id, *name;
  tl_where where;
  const tl_element *sort, *marking; // or null
} tl_xml_place;

typedef struct tl_xml_transition {
  const char *id, *name;
  tl_where where;
  const tl_element *condition; // or null
} tl_xml_transition;

// A reference node, which stands for another one.
typedef struct tl_xml_reference {
  const char *id, *target;
  tl_where where;
} tl_xml_reference;

typedef struct tl_xml_arc {
  const char *from, *to;
  tl_where where;
  const tl_element *label; // or null
  bool inhibits;
} tl_xml_arc;

typedef struct tl_document {
  tl_mem *mem;
  tl_arena arena;
  const char *file;
  tl_error *err;
  tl_xml_place *place;
  size_t places, place_room;
  tl_xml_transition *transition;
  size_t transitions, transition_room;
  tl_xml_reference *reference;
  size_t references, reference_room;
  tl_xml_arc *arc;
  size_t arcs, arc_room;
  tl_element *declarations; // the contents of all <declarations>, with `next`
  // While it is read: where in a structure, and what the structure belongs to
  tl_element *open[TL_XML_DEEPEST];
  size_t depth;
  const tl_element *declared; // the structure of a declaration
  tl_element *last_declaration;
  const tl_element **slot; // null: not in a structure
  char *name;              // of the node at hand
} tl_document;

// The <net> element that is being opened, and all in it, becomes the document.
void tl_document_read (tl_document *, tl_xml *, tl_mem *, const char *file,
                       tl_error *);
void tl_document_close (tl_document *);

// How the file calls such an element.
const char *tl_tag_name (tl_tag);

// Fails with a message about an element.
tl_status tl_document_fail (const tl_document *, tl_where, tl_status,
                            const char *format, ...)
    __attribute__ ((format (printf, 4, 5)));
tl_status tl_document_no_memory (const tl_document *);

#endif
