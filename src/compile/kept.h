#ifndef TL_COMPILE_KEPT_H
#define TL_COMPILE_KEPT_H

#include <stdbool.h>
#include <stddef.h>

// Compiled programs that are kept: $XDG_CACHE_HOME/tideline or
// ~/.cache/tideline has a file for each, under a name made of the hash of its
// text.  Behind the shared object, where the loader does not look, it has the
// text and a seal with the sizes of both and a checksum of the object.
//
// Nothing is loaded that could be another's, or damaged: the folder and the
// file are the user's own, nobody else may write to them, the text is the same
// to the last byte, and the checksum is right.  A file appears whole, when all
// of it is on the disk, or not at all.

// The folder, made if it is not there; false: there is none to be trusted.
bool tl_kept_folder (char *path, size_t size);

// May the file be loaded as the program of this text?
bool tl_kept_is_good (const char *path, const char *text, size_t size);

// Seals the object at `from` and moves it to `path`; false: it is as it was,
// but for bytes behind its end.
bool tl_kept_put (const char *path, const char *from, const char *text,
                  size_t size);

#endif
