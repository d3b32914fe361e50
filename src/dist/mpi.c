// The ranks of an MPI program.  Nothing here knows what is searched for; see
// explore/cluster.h.
//
// Whoever waits looks again and again for a while, and then sleeps between two
// looks: there may be more ranks than cores.

#include "explore/cluster.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  PACKET = 1,          // the tag of packets
  LOOKS = 200,         // before it sleeps
  NAP = 20000,         // nanoseconds at first,
  LONGEST_NAP = 200000 // and at most
};

typedef struct ranks {
  tl_cluster base;
  MPI_Comm all;
} ranks;

// ---- Failures --------------------------------------------------------------

static void abandon (tl_cluster *base, int code, const char *why) {
  const ranks *r = (const ranks *)base;
  fprintf (stderr, "tideline: rank %u of %u: %s\n", base->rank, base->ranks,
           why);
  fflush (stderr);
  MPI_Abort (r->all, code);
  abort ();
}

static void check (ranks *r, int error) {
  enum { FAULT = 4 };
  char why[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  if (error == MPI_SUCCESS)
    return;
  MPI_Error_string (error, why, &length);
  abandon (&r->base, FAULT, why);
}

// ---- Waiting ---------------------------------------------------------------

static void nap (unsigned *looks) {
  if (++*looks < LOOKS) {
    sched_yield ();
    return;
  }
  const long longer = NAP * (long)(*looks - LOOKS + 1);
  nanosleep (&(struct timespec){.tv_nsec = longer < LONGEST_NAP ? longer
                                                                : LONGEST_NAP},
             0);
}

static void wait_for (ranks *r, MPI_Request *request) {
  unsigned looks = 0;
  for (int done = 0;;) {
    check (r, MPI_Test (request, &done, MPI_STATUS_IGNORE));
    if (done)
      return;
    nap (&looks);
  }
}

// ---- Packets ---------------------------------------------------------------

static MPI_Request *begin (ranks *r) {
  MPI_Request *request = malloc (sizeof *request);
  if (!request)
    abandon (&r->base, 3, "no memory for a message");
  return request;
}

static void *send_packet (tl_cluster *base, unsigned to, const void *bytes,
                          size_t size) {
  ranks *r = (ranks *)base;
  MPI_Request *request = begin (r);
  check (r, MPI_Isend (bytes, (int)size, MPI_BYTE, (int)to, PACKET, r->all,
                       request));
  return request;
}

static void *expect (tl_cluster *base, void *bytes, size_t most) {
  ranks *r = (ranks *)base;
  MPI_Request *request = begin (r);
  check (r, MPI_Irecv (bytes, (int)most, MPI_BYTE, MPI_ANY_SOURCE, PACKET,
                       r->all, request));
  return request;
}

static void *count (tl_cluster *base, const uint64_t *sent, uint64_t *due) {
  ranks *r = (ranks *)base;
  MPI_Request *request = begin (r);
  check (r, MPI_Ialltoall (sent, 1, MPI_UINT64_T, due, 1, MPI_UINT64_T, r->all,
                           request));
  return request;
}

static bool is_done (tl_cluster *base, void *doing, size_t *size) {
  ranks *r = (ranks *)base;
  MPI_Status status;
  int done, bytes = 0;
  check (r, MPI_Test (doing, &done, &status));
  if (!done)
    return false;
  if (size) {
    check (r, MPI_Get_count (&status, MPI_BYTE, &bytes));
    *size = (size_t)bytes;
  }
  free (doing);
  return true;
}

static void call_off (tl_cluster *base, void *expected) {
  ranks *r = (ranks *)base;
  check (r, MPI_Cancel (expected));
  wait_for (r, expected);
  free (expected);
}

// ---- All together ----------------------------------------------------------

static void reduce (tl_cluster *base, uint64_t *numbers, size_t many,
                    MPI_Op op) {
  ranks *r = (ranks *)base;
  MPI_Request request;
  check (r, MPI_Iallreduce (MPI_IN_PLACE, numbers, (int)many, MPI_UINT64_T, op,
                            r->all, &request));
  wait_for (r, &request);
}

static void add_up (tl_cluster *base, uint64_t *numbers, size_t many) {
  reduce (base, numbers, many, MPI_SUM);
}

static void raise_all (tl_cluster *base, uint64_t *numbers, size_t many) {
  reduce (base, numbers, many, MPI_MAX);
}

static void tell (tl_cluster *base, unsigned from, void *bytes, size_t size) {
  enum { PIECE = 1 << 30 };
  ranks *r = (ranks *)base;
  for (char *at = bytes; size;) {
    const size_t now = size < PIECE ? size : PIECE;
    MPI_Request request;
    check (r, MPI_Ibcast (at, (int)now, MPI_BYTE, (int)from, r->all, &request));
    wait_for (r, &request);
    at += now;
    size -= now;
  }
}

// ---- Opening ---------------------------------------------------------------

static void close_ranks (tl_cluster *base) {
  ranks *r = (ranks *)base;
  MPI_Request request;
  check (r, MPI_Ibarrier (r->all, &request));
  wait_for (r, &request);
  MPI_Comm_free (&r->all);
  MPI_Finalize ();
  free (r);
}

// Does every rank say the same of itself?  Else who does not.
static bool compare (ranks *r, const char *about, char *why, size_t room) {
  enum { ROOM = 128 };
  const unsigned count = r->base.ranks;
  char mine[ROOM] = "", *all = calloc (count, ROOM);
  unsigned other = 0;
  MPI_Request request;
  if (!all)
    abandon (&r->base, 3, "no memory to begin");
  snprintf (mine, sizeof mine, "%s", about);
  check (r, MPI_Iallgather (mine, ROOM, MPI_BYTE, all, ROOM, MPI_BYTE, r->all,
                            &request));
  wait_for (r, &request);
  while (other < count && !strcmp (all + (size_t)other * ROOM, all))
    other++;
  if (other < count)
    snprintf (why, room, "rank 0 is %s, but rank %u is %s", all, other,
              all + (size_t)other * ROOM);
  free (all);
  return other == count;
}

// The ranks on this machine.
static unsigned count_here (ranks *r) {
  MPI_Comm here;
  int size = 1;
  check (r, MPI_Comm_split_type (r->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                                 &here));
  MPI_Comm_size (here, &size);
  MPI_Comm_free (&here);
  return (unsigned)size;
}

static tl_cluster *open_ranks (const char *about, char *why, size_t room) {
  int given, rank, size;
  ranks *r = calloc (1, sizeof *r);
  *why = 0;
  if (!r || MPI_Init_thread (0, 0, MPI_THREAD_SERIALIZED, &given) ||
      MPI_Comm_dup (MPI_COMM_WORLD, &r->all)) {
    snprintf (why, room, "MPI cannot be started");
    free (r);
    return 0;
  }
  MPI_Comm_set_errhandler (r->all, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler (MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank (r->all, &rank);
  MPI_Comm_size (r->all, &size);
  r->base = (tl_cluster){.rank = (unsigned)rank,
                         .ranks = (unsigned)size,
                         .send = send_packet,
                         .expect = expect,
                         .count = count,
                         .is_done = is_done,
                         .call_off = call_off,
                         .add_up = add_up,
                         .raise = raise_all,
                         .tell = tell,
                         .abandon = abandon,
                         .close = close_ranks};
  r->base.here = count_here (r);
  if (given < MPI_THREAD_SERIALIZED)
    snprintf (why, room, "this MPI is not for programs with threads");
  else
    compare (r, about, why, room);
  return &r->base;
}

__attribute__ ((visibility ("default")))
const tl_cluster_plugin tl_cluster_plugin_mpi = {TL_CLUSTER_VERSION,
                                                 open_ranks};
