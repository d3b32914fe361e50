#include "checkpoint/folder.h"

#include "base/error.h"
#include "checkpoint/whole.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTION "srch"
static const char *const prefix[] = {[TL_FOLDER_STATES] = "states.",
                                     [TL_FOLDER_DISK] = "disk.",
                                     [TL_FOLDER_LOG] = "log.",
                                     [TL_FOLDER_ARCHIVE] = "archive."};

static const tl_record_kind kind = {"chkp", 1, "checkpoint"};

static tl_status fail (const char *path, tl_error *error) {
  return tl_fail_at (error, TL_E_IO, path, 0, 0, "cannot write: %s",
                     strerror (errno));
}

const char *tl_folder_file (const tl_folder *f, const char *name,
                            char path[TL_FOLDER_PATH]) {
  snprintf (path, TL_FOLDER_PATH, "%s/%s", f->path, name);
  return path;
}

const char *tl_folder_path (const tl_folder *f, tl_folder_kind which,
                            uint64_t number, char path[TL_FOLDER_PATH]) {
  snprintf (path, TL_FOLDER_PATH, "%s/%s%" PRIu64, f->path, prefix[which],
            number);
  return path;
}

tl_status tl_folder_open (tl_folder *f, const char *path, tl_error *error) {
  char file[TL_FOLDER_PATH];
  *f = (tl_folder){.lock = -1};
  if (!*path || strlen (path) >= sizeof f->path)
    return tl_fail (error, TL_E_ARG, "a checkpoint needs the path of a folder");
  strcpy (f->path, path);
  if (mkdir (path, 0777) && errno != EEXIST)
    return fail (path, error);
  f->lock = open (tl_folder_file (f, "lock", file),
                  O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (f->lock < 0)
    return fail (path, error);
  if (!flock (f->lock, LOCK_EX | LOCK_NB))
    return TL_OK;
  tl_folder_close (f);
  return tl_fail_at (error, TL_E_ARG, path, 0, 0,
                     "another run writes its checkpoints there");
}

void tl_folder_close (tl_folder *f) {
  if (f->lock >= 0)
    close (f->lock);
  f->lock = -1;
}

bool tl_folder_has (const tl_folder *f) {
  char path[TL_FOLDER_PATH];
  return !access (tl_folder_file (f, "checkpoint", path), F_OK);
}

static bool begins (const char *name, const char *with) {
  return !strncmp (name, with, strlen (with));
}

// Removes what a name stands for, where a link leads first.
static void remove_file (const tl_folder *f, const char *name) {
  char path[TL_FOLDER_PATH], target[TL_FOLDER_PATH];
  tl_folder_file (f, name, path);
  const ssize_t n = begins (name, prefix[TL_FOLDER_DISK])
                        ? readlink (path, target, sizeof target - 1)
                        : 0;
  if (n > 0) {
    target[n] = 0;
    unlink (target);
  }
  unlink (path);
}

void tl_folder_forget (const tl_folder *f, tl_folder_kind which,
                       uint64_t number) {
  char name[64];
  snprintf (name, sizeof name, "%s%" PRIu64, prefix[which], number);
  remove_file (f, name);
}

// A file with another number than the one in use, or that a crash has left with
// a name that it should not have kept.
static bool is_needless (const tl_folder *f, const char *name) {
  char number[64];
  for (size_t i = 0; i < TL_FOLDER_KINDS; i++)
    if (begins (name, prefix[i])) {
      snprintf (number, sizeof number, "%" PRIu64, f->number[i]);
      return strcmp (name + strlen (prefix[i]), number);
    }
  return begins (name, "checkpoint.");
}

void tl_folder_tidy (const tl_folder *f) {
  DIR *folder = opendir (f->path);
  if (!folder)
    return;
  for (const struct dirent *d; (d = readdir (folder));)
    if (strlen (d->d_name) < 60 && is_needless (f, d->d_name))
      remove_file (f, d->d_name);
  closedir (folder);
}

// The names of files are on the disk, too.
void tl_folder_sync (const tl_folder *f) {
  const int folder = open (f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return;
  fsync (folder);
  close (folder);
}

tl_status tl_folder_write (tl_folder *f, const tl_parcel *parcel,
                           tl_error *error) {
  char path[TL_FOLDER_PATH];
  if (parcel->failed)
    return tl_fail (error, TL_E_NOMEM, "there is no memory to write it");
  tl_folder_sync (f); // the states have their name
  const tl_status rc =
      tl_records_save (tl_folder_file (f, "checkpoint", path), parcel->mem,
                       &kind, SECTION, parcel->bytes, parcel->length, error);
  if (rc)
    return rc;
  tl_folder_sync (f);
  tl_folder_tidy (f);
  return TL_OK;
}

tl_status tl_folder_read (tl_folder *f, tl_mem *mem, unsigned char **bytes,
                          size_t *length, tl_error *error) {
  char path[TL_FOLDER_PATH];
  if (!tl_folder_has (f))
    return tl_fail_at (error, TL_E_SYNTAX, f->path, 0, 0,
                       "there is no checkpoint");
  return tl_records_load (tl_folder_file (f, "checkpoint", path), mem, &kind,
                          SECTION, bytes, length, error);
}

// The folders of other ranks.
static void remove_ranks (const tl_folder *f) {
  tl_folder inner = {.lock = -1};
  char path[TL_FOLDER_PATH], name[32];
  for (unsigned rank = 1;; rank++) {
    snprintf (name, sizeof name, TL_FOLDER_RANK "%u", rank);
    tl_folder_file (f, name, path);
    if (access (path, F_OK) || strlen (path) >= sizeof inner.path)
      return;
    strcpy (inner.path, path);
    tl_folder_tidy (&inner);
    unlink (tl_folder_file (&inner, "lock", path));
    rmdir (inner.path);
  }
}

void tl_folder_clear (tl_folder *f) {
  char path[TL_FOLDER_PATH];
  unlink (tl_folder_file (f, "checkpoint", path));
  memset (f->number, 0, sizeof f->number);
  tl_folder_tidy (f);
  remove_ranks (f);
}
