#include "base/output.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *tl_output_name (const tl_output *out) {
  return out->to_stdout ? "standard output" : out->path;
}

static tl_status fail (const tl_output *out, tl_error *err) {
  return tl_fail_at (err, TL_E_IO, tl_output_name (out), 0, 0,
                     "cannot write: %s", strerror (errno));
}

// Where symbolic links lead; the path itself when there is no file yet.
static bool resolve (tl_output *out) {
  char *real = realpath (out->path, 0);
  const char *target = real ? real : out->path;
  const bool fits = strlen (target) < sizeof out->target;
  if (fits)
    strcpy (out->target, target);
  else
    errno = ENAMETOOLONG;
  free (real);
  return fits;
}

static void temporary_name (tl_output *out, int attempt) {
  snprintf (out->temporary, sizeof out->temporary, "%s.%ld-%d~", out->target,
            (long)getpid (), attempt);
}

static int open_temporary (tl_output *out) {
#ifdef O_TMPFILE
  char folder[sizeof out->target + 2];
  strcpy (folder, out->target);
  char *slash = strrchr (folder, '/');
  strcpy (slash ? slash + 1 : folder, ".");
  const int nameless = open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (nameless >= 0)
    return nameless;
#endif
  int fd = -1;
  for (int attempt = 0; fd < 0 && attempt < 100; attempt++) {
    temporary_name (out, attempt);
    fd = open (out->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      break;
  }
  if (fd < 0)
    out->temporary[0] = 0;
  return fd;
}

static int open_target (tl_output *out) {
  struct stat there;
  if (stat (out->target, &there))
    return errno == ENOENT ? open_temporary (out) : -1;
  out->direct = !S_ISREG (there.st_mode);
  if (out->direct)
    return open (out->target, O_WRONLY | O_CLOEXEC);
  if (access (out->target, W_OK))
    return -1;
  const int fd = open_temporary (out);
  if (fd >= 0)
    (void)!fchmod (fd, there.st_mode & 07777); // else those of a new file
  return fd;
}

tl_status tl_output_open (tl_output *out, const char *path, tl_error *err) {
  // A file that standard output is appended to must not be replaced.
  *out = (tl_output){.path = path,
                     .to_stdout =
                         !strcmp (path, "-") || !strcmp (path, "/dev/stdout")};
  if (out->to_stdout) {
    out->file = stdout;
    return TL_OK;
  }
  const int fd = resolve (out) ? open_target (out) : -1;
  if (fd < 0)
    return fail (out, err);
  out->file = fdopen (fd, "w");
  if (out->file)
    return TL_OK;
  const tl_status status = fail (out, err);
  close (fd);
  if (out->temporary[0])
    unlink (out->temporary);
  return status;
}

// Gives the file without a name one.  A link cannot replace a file, so where
// there is one already the new one gets a temporary name first.
static bool name_file (tl_output *out) {
  char self[64];
  snprintf (self, sizeof self, "/proc/self/fd/%d", fileno (out->file));
  int rc = linkat (AT_FDCWD, self, AT_FDCWD, out->target, AT_SYMLINK_FOLLOW);
  for (int i = 0; rc && errno == EEXIST && i < 100; i++) {
    temporary_name (out, i);
    rc = linkat (AT_FDCWD, self, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW);
  }
  if (rc)
    out->temporary[0] = 0;
  return !rc;
}

// An earlier write may have failed: the stream remembers that, not why.
static bool flush (FILE *file) {
  errno = EIO;
  return !fflush (file) && !ferror (file);
}

tl_status tl_output_close (tl_output *out, tl_status status, tl_error *err) {
  if (!out->file)
    return status;
  if (!status && !flush (out->file))
    status = fail (out, err);
  // What is on the disk is whole also when the machine stops now.
  if (!status && !out->to_stdout && !out->direct &&
      (fsync (fileno (out->file)) || (!out->temporary[0] && !name_file (out))))
    status = fail (out, err);
  if (!out->to_stdout && fclose (out->file) && !status)
    status = fail (out, err);
  out->file = 0;
  if (!out->temporary[0])
    return status;
  if (!status && rename (out->temporary, out->target))
    status = fail (out, err);
  if (status)
    unlink (out->temporary);
  return status;
}
