#include "read/xml.h"
#include "base/error.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_ENTITIES 100
#define LONGEST_ENTITY 1024
#define LONGEST_DOCTYPE 65536

static const tl_xml_row skipped = {.state = -1};

struct tl_xml {
  const tl_xml_form *form;
  void *context;
  XML_Parser parser;
  const char *file;
  tl_mem *mem;
  tl_error *err;
  tl_status status; // of the first failure
  uint64_t fed;     // bytes handed to expat
  const tl_xml_row *open[TL_XML_DEEPEST];
  size_t depth;
  // The form that handed an element over, and the depth inside that element;
  // 0: nothing is handed over.
  const tl_xml_form *outer_form;
  void *outer_context;
  size_t outer_depth;
  tl_xml_row handed;
  char *text; // of the innermost element
  size_t length, room;
  unsigned entities;
  bool in_doctype;
  XML_Index doctype;
};

static tl_status stop (tl_xml *xml, tl_status status) {
  if (status && !xml->status) {
    xml->status = status;
    XML_StopParser (xml->parser, XML_FALSE);
  }
  return status;
}

tl_status tl_xml_fail (tl_xml *xml, tl_status code, const char *format, ...) {
  char text[sizeof xml->err->text];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  if (code == TL_E_NOMEM)
    return tl_fail (xml->err, code, "%s", text);
  return tl_fail_at (xml->err, code, xml->file, tl_xml_line (xml),
                     tl_xml_column (xml), "%s", text);
}

long tl_xml_line (const tl_xml *xml) {
  return (long)XML_GetCurrentLineNumber (xml->parser);
}

long tl_xml_column (const tl_xml *xml) {
  return (long)XML_GetCurrentColumnNumber (xml->parser) + 1;
}

void tl_xml_hand_over (tl_xml *xml, const tl_xml_form *form, void *context,
                       int state) {
  xml->outer_form = xml->form;
  xml->outer_context = xml->context;
  xml->outer_depth = xml->depth;
  xml->form = form;
  xml->context = context;
  xml->handed = (tl_xml_row){.state = state};
  xml->open[xml->depth - 1] = &xml->handed;
}

static void take_back (tl_xml *xml) {
  xml->form = xml->outer_form;
  xml->context = xml->outer_context;
  xml->outer_depth = 0;
}

const char *tl_xml_attribute (const char *const *attributes, const char *name) {
  for (; *attributes; attributes += 2)
    if (!strcmp (*attributes, name))
      return attributes[1];
  return 0;
}

static const char *without_prefix (const char *name) {
  const char *colon = strrchr (name, ':');
  return colon ? colon + 1 : name;
}

static const tl_xml_row *find_row (const tl_xml *xml, const char *name) {
  const int within = xml->depth ? xml->open[xml->depth - 1]->state : 0;
  if (within < 0)
    return &skipped;
  const tl_xml_row *row = xml->form->row;
  for (const tl_xml_row *end = row + xml->form->rows; row < end; row++)
    if ((row->within == within || (row->within == TL_XML_INSIDE && within)) &&
        !strcmp (row->element, name))
      return row;
  return &skipped;
}

static void XMLCALL on_open (void *context, const char *name,
                             const char **attributes) {
  tl_xml *xml = context;
  if (xml->status)
    return;
  name = without_prefix (name);
  const tl_xml_row *row = find_row (xml, name);
  if (!xml->depth && row == &skipped) {
    stop (xml, tl_xml_fail (xml, TL_E_SYNTAX,
                            "the document is a <%.60s>, not a <%s>", name,
                            xml->form->row->element));
    return;
  }
  if (xml->depth == TL_XML_DEEPEST) {
    stop (xml, tl_xml_fail (xml, TL_E_SYNTAX,
                            "elements are nested more than %d deep",
                            TL_XML_DEEPEST));
    return;
  }
  xml->open[xml->depth++] = row;
  if (row == &skipped) {
    // What is inside of a skipped element is not even looked at.
    const int within = xml->open[xml->depth - 2]->state;
    if (xml->form->unknown && within > 0)
      stop (xml, xml->form->unknown (xml->context, xml, within, name));
    return;
  }
  xml->length = 0;
  if (xml->form->open)
    stop (xml, xml->form->open (xml->context, xml, row->state,
                                (const char *const *)attributes));
}

static tl_status collect (tl_xml *xml, const char *text, size_t length) {
  if (xml->length + length > TL_XML_LONGEST_TEXT)
    return tl_xml_fail (xml, TL_E_SYNTAX, "a text is longer than %zu bytes",
                        TL_XML_LONGEST_TEXT);
  if (!TL_ROOM (xml->mem, xml->text, &xml->room, xml->length + length + 1))
    return tl_xml_fail (xml, TL_E_NOMEM, "no memory for a text");
  memcpy (xml->text + xml->length, text, length);
  xml->length += length;
  return TL_OK;
}

static void XMLCALL on_text (void *context, const char *text, int length) {
  tl_xml *xml = context;
  if (xml->status || !xml->depth || length <= 0)
    return;
  const tl_xml_row *row = xml->open[xml->depth - 1];
  if (row->text == TL_XML_WHOLE)
    stop (xml, collect (xml, text, (size_t)length));
  else if (row->text == TL_XML_PARTS)
    stop (xml, xml->form->part (xml->context, xml, row->state, text,
                                (size_t)length));
}

static bool is_blank (char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void close_element (tl_xml *xml, const tl_xml_row *row) {
  if (row == &skipped || !xml->form->close)
    return;
  char *text = 0;
  size_t length = 0;
  if (row->text == TL_XML_WHOLE) {
    if (stop (xml, collect (xml, "", 0)))
      return;
    text = xml->text;
    for (length = xml->length; length && is_blank (text[length - 1]);)
      length--;
    for (; length && is_blank (*text); length--)
      text++;
    text[length] = 0;
  }
  stop (xml, xml->form->close (xml->context, xml, row->state, text, length));
  xml->length = 0;
}

static void XMLCALL on_close (void *context, const char *name) {
  (void)name;
  tl_xml *xml = context;
  if (xml->status)
    return;
  const tl_xml_row *row = xml->open[--xml->depth];
  close_element (xml, row);
  if (xml->outer_depth == xml->depth + 1)
    take_back (xml);
}

static void XMLCALL on_doctype (void *context, const char *name,
                                const char *system, const char *public,
                                int internal) {
  (void)name, (void)system, (void)public;
  tl_xml *xml = context;
  xml->in_doctype = internal;
  xml->doctype = XML_GetCurrentByteIndex (xml->parser);
}

static void XMLCALL on_doctype_end (void *context) {
  ((tl_xml *)context)->in_doctype = false;
}

// Entities that are short plain text are harmless; all others are how a small
// file becomes a large one, or reads another.
static void XMLCALL on_entity (void *context, const char *name, int parameter,
                               const char *value, int length, const char *base,
                               const char *system, const char *public,
                               const char *notation) {
  (void)base, (void)system, (void)public, (void)notation;
  tl_xml *xml = context;
  if (xml->status)
    return;
  if (parameter || !value || length > LONGEST_ENTITY ||
      memchr (value, '&', (size_t)length) ||
      memchr (value, '<', (size_t)length) || ++xml->entities > MOST_ENTITIES)
    stop (xml,
          tl_xml_fail (xml, TL_E_SYNTAX, "entity '%.60s' is refused: %s", name,
                       !value ? "it is external"
                              : "only a few short texts are allowed"));
}

static void XMLCALL on_attribute_list (void *context, const char *element,
                                       const char *attribute, const char *type,
                                       const char *value, int required) {
  (void)element, (void)attribute, (void)type, (void)value, (void)required;
  tl_xml *xml = context;
  if (!xml->status)
    stop (xml, tl_xml_fail (xml, TL_E_SYNTAX,
                            "attribute declarations are not supported"));
}

static void XMLCALL on_unknown_entity (void *context, const char *name,
                                       int parameter) {
  (void)parameter;
  tl_xml *xml = context;
  if (!xml->status)
    stop (xml,
          tl_xml_fail (xml, TL_E_SYNTAX, "entity '%.60s' is unknown", name));
}

static bool parser_open (tl_xml *xml) {
  xml->parser = XML_ParserCreate (0);
  if (!xml->parser)
    return false;
  XML_SetUserData (xml->parser, xml);
  XML_SetElementHandler (xml->parser, on_open, on_close);
  XML_SetCharacterDataHandler (xml->parser, on_text);
  XML_SetDoctypeDeclHandler (xml->parser, on_doctype, on_doctype_end);
  XML_SetEntityDeclHandler (xml->parser, on_entity);
  XML_SetAttlistDeclHandler (xml->parser, on_attribute_list);
  XML_SetSkippedEntityHandler (xml->parser, on_unknown_entity);
  return true;
}

// Expat keeps an unfinished tag or comment in memory, and what a document type
// declares; neither may grow without end.  It may wait for twice the length
// of a tag before it looks at it again.
static tl_status check_limits (tl_xml *xml) {
  const XML_Index at = XML_GetCurrentByteIndex (xml->parser);
  if (at >= 0 && xml->fed - (uint64_t)at > 2 * TL_XML_LONGEST_TAG)
    return tl_xml_fail (xml, TL_E_SYNTAX,
                        "a tag or comment is longer than %zu bytes",
                        TL_XML_LONGEST_TAG);
  if (xml->in_doctype && at - xml->doctype > LONGEST_DOCTYPE)
    return tl_xml_fail (xml, TL_E_SYNTAX,
                        "the document type is longer than %d bytes",
                        LONGEST_DOCTYPE);
  return TL_OK;
}

static tl_status feed (tl_xml *xml, const tl_input *in) {
  const bool final = !in->length;
  if (XML_Parse (xml->parser, (const char *)in->block, (int)in->length,
                 final) == XML_STATUS_OK) {
    xml->fed += in->length;
    return check_limits (xml);
  }
  if (xml->status)
    return xml->status;
  const enum XML_Error error = XML_GetErrorCode (xml->parser);
  if (error == XML_ERROR_NO_MEMORY)
    return tl_xml_fail (xml, TL_E_NOMEM, "no memory for the XML parser");
  return tl_xml_fail (xml, TL_E_SYNTAX, "XML: %s", XML_ErrorString (error));
}

tl_status tl_xml_read (const tl_xml_form *form, void *context, tl_input *in,
                       tl_mem *mem, tl_error *err) {
  tl_xml *xml;
  if (!TL_NEW (mem, xml, 1))
    return tl_fail (err, TL_E_NOMEM, "no memory for the XML parser");
  xml->form = form;
  xml->context = context;
  xml->file = in->name;
  xml->mem = mem;
  xml->err = err;
  tl_status status = TL_E_NOMEM;
  if (!parser_open (xml))
    tl_fail (err, TL_E_NOMEM, "no memory for the XML parser");
  else
    while (!(status = feed (xml, in)) && in->length)
      if ((status = tl_input_next (in, err)))
        break;
  if (xml->parser)
    XML_ParserFree (xml->parser);
  TL_DEL (mem, xml->text, xml->room);
  TL_DEL (mem, xml, 1);
  return status;
}
