#ifndef TL_EXPLORE_CLUSTER_H
#define TL_EXPLORE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Other processes, the ranks, that make one search together (docs/cluster.md).
// This is all that a search knows of them: it sends packets of bytes to a rank,
// takes those that have come, and now and then all ranks agree on some numbers.
// What is behind it is a plugin (src/dist), which calls nothing of the library.
//
// One thread of a process may be in any of these functions at a time.  A rank
// that cannot be reached ends the whole run, with a message.
typedef struct tl_cluster tl_cluster;

struct tl_cluster {
  unsigned rank, ranks;
  unsigned here; // ranks on this machine

  // Begin to send a packet to a rank, or to take the next one that comes from
  // anywhere, of at most so many bytes.  The bytes are to stay where they are
  // until it is done.
  void *(*send) (tl_cluster *, unsigned to, const void *bytes, size_t size);
  void *(*expect) (tl_cluster *, void *bytes, size_t most);
  // Each rank tells each how many packets, or blocks, it has sent to it: counts
  // [ranks] to be told and to be filled.
  void *(*count) (tl_cluster *, const uint64_t *sent, uint64_t *due);
  // Is it done?  Then it is forgotten; *size is that of a packet that came.
  bool (*is_done) (tl_cluster *, void *doing, size_t *size);
  // Nothing will come any more.
  void (*call_off) (tl_cluster *, void *expected);

  // All ranks call these at the same point, and return when all have: every
  // number becomes the sum, or the largest, of those that the ranks have; and
  // all get the bytes of one.
  void (*add_up) (tl_cluster *, uint64_t *numbers, size_t count);
  void (*raise) (tl_cluster *, uint64_t *numbers, size_t count);
  void (*tell) (tl_cluster *, unsigned from, void *bytes, size_t size);

  // Ends all ranks at once, with that exit code.
  void (*abandon) (tl_cluster *, int code, const char *why);
  void (*close) (tl_cluster *);
};

// As programs know it.
struct tl_ranks {
  tl_cluster *cluster;
};

// What a plugin offers, under the name tl_cluster_plugin.  `about` is the same
// on ranks that understand each other; *why says otherwise (null: all is well).

typedef struct tl_cluster_plugin {
  unsigned version; // TL_CLUSTER_VERSION of who built it
  tl_cluster *(*open) (const char *about, char *why, size_t room);
} tl_cluster_plugin;

enum { TL_CLUSTER_VERSION = 1 };

#endif
