#ifndef TL_BASE_TUNING_H
#define TL_BASE_TUNING_H

// Numbers that could be others: they cost or save time and memory, or make the
// choice of a measure better or worse, but no answer depends on them.
// `bench/tuning` measures each with less and with more; what came out is in
// docs/internals/tuning.md.  A letter in brackets says where a number is from:
//
//     a   docs/sweep-line.md, "With a disk": two or three nanoseconds for a
//         state that is read, so thirty take a tenth of a microsecond
//     b   SmartHome-04 stores 418,013 states at most, not 956,301 (git log
//         --grep "let few states of a layer wait")
//     c   15 philosophers at dinner take 178 MiB, not 523 (git log --grep "Let
//         states that wait in a sweep")
//     d   HexagonalGrid-126 and FMS-5 end with 5 MB (git log --grep "Finish
//         sweeps in little memory")
//     e   the choice as a whole: docs/sweep-line.md, `bench/sweep measures`
//     f   src/store/delta.c: one state in some two hundred is a twin
//     g   kanban 4 by done_1 is complete with 400K, not 2500K (bats
//         tests/cli/sweep.bats --filter "less reach")
//     h   12 philosophers at dinner, `check live`: 7.5 s and 545 MB with a
//         graph of 438 MB, 13.7 s and 219 MB without (--store table)
//     i   kanban 5 by done_1 --exact-count: 0.64 s and 331,914 states at most,
//         with 8 passes 0.97 s and 960,411

// Searches
enum {
  TL_BFS_GATHER = 1024,       // successors put at once
  TL_BFS_ROOM = 2048,         // and how many the buffers take
  TL_DFS_LOOKUP = 16,         // successors looked up at once
  TL_TERMINAL_LOOKUP = 64,    // the same for components
  TL_TERMINAL_POLL = 256,     // steps between two looks at the clock
  TL_HOME_GRAPH = 1 << 30,    // bytes, of a graph built for components [h]
  TL_LONG_KEY = 64,           // bits of a key, beyond which the tree is tried
  TL_FIRST_TRIAL = 1 << 16,   // states at which it is, then eight times more
  TL_WALK_WORK = 4000000,     // arcs the walk at the start looks at
  TL_WALK_STEPS = 4096,       // and the steps it takes
  TL_SHORTEN_WORK = 20000000, // tokens looked at to shorten a trace
  TL_QUEUE_PART = 16,         // one part in so many of the memory: queue
  TL_STACK_PART = 16,         // path of depth-first search
  TL_LOG_PART = 32            // log
};

// Several threads
enum {
  TL_PARALLEL_FROM = 1 << 16, // states from which on there are several
  TL_PARALLEL_NARROW = 128,   // states of a level for each, or one expands it
  TL_SHARDS_EACH = 8,         // shards for each thread
  TL_SHARDS_FEW = 4,          // the same, each with a table for each length
  TL_SHARD_BITS = 11,         // but not more than that, as a power of two
  TL_ROUND = 8192,            // successors that a thread puts at once
  TL_LANE_BYTES = 1 << 14,    // of a block of states of the next level
  TL_LANE_PARTS = 32,         // blocks for each thread, in small levels
  TL_LANE_LEAST = 32,         // states of a block
  TL_AHEAD_NARROW = 2000,     // states that one takes in turn without others
  TL_AHEAD_CHUNKS = 24,       // of a round of a graph, for each thread
  TL_CHUNK_STATES = 64,       // states of a chunk
  TL_THREAD_LOOKS = 2048,     // at what others do, before a thread sleeps
  TL_LOCK_LOOKS = 64          // the same where they have something for a moment
};

// Sweeps
enum {
  TL_SWEEP_ROOM = 4096,        // successors, half of them distributed at once
  TL_SWEEP_ROOM_BUDGET = 2048, // bytes of the budget for each [g]
  TL_SWEEP_LANES = 4,          // counters of a layer: none waits for itself
  TL_SWEEP_FEW = 10000,        // states, no reason to give up a measure
  TL_SWEEP_VISITS = 6,         // of a state, before a measure is given up
  TL_SWEEP_READS = 30,         // of a state on the disk, before all is kept [a]
  TL_SWEEP_TRIALS = 3,         // of measures, before everything is kept [d]
  TL_SWEEP_PASSES = 32,        // over the archive, of a layer in a sweep [i]
  TL_SWEEP_WAIT = 32,          // archived states for one that may wait [b]
  TL_SWEEP_SHOWN = 1 << 16,    // states shown to a visitor at once, at most
  TL_SWEEP_SHOWN_LEAST = 16,   // and at least, unless no more wait
  TL_SWEEP_SHARDED = 256,      // states of a layer that several threads put
  TL_POOL_ROOM = 4096,         // keys in arrays; a table takes as much memory
  TL_FILTER_KEYS = 4,          // keys for a word of the filter, at most [a]
  TL_KNOWN_ENOUGH = 1 << 20,   // bytes that a generator may know at least
  TL_KNOWN_PART = 4,           // but such a part of the budget is enough
  TL_SWEEP_LOG_PART = 16,      // of the budget, beyond which the log goes [g]
  TL_ARCHIVE_PART = 16,        // one part in so many of the memory: archive
  TL_ARCHIVE_BLOCK_PART = 64,  // of the budget, for a block of it at most [g]
  TL_BACKLOG_PART = 16,        // a backlog
  TL_BACKLOGS_PART = 8,        // all of them [c]
  TL_BACKLOGS_BUDGET = 16,     // but such a part of the budget in any case, [d]
  TL_BACKLOGS_LEAST = 8 << 20, // or so many bytes if that is less [d]
  TL_BACKLOGS_FILES = 256,     // of them that have a file
  TL_TIMELINE_POINTS = 2048    // of a picture
};

// Choosing a measure
enum {
  TL_PILOT_DISTRIBUTE = 4, // work to give a state to a layer; a visit: 256
  TL_PILOT_PUT = 160,      // the same, to put one that is not visited
  TL_PILOT_WRITE = 8,      // to write one to the disk
  TL_PILOT_READ = 4,       // and to read it
  TL_SAMPLE_SMALL = 6000,  // markings of samples for annealing [e]
  TL_SAMPLE_LARGE = 80000, // and of those that decide [e]
  TL_SAMPLE_ENOUGH = TL_SAMPLE_LARGE, // of a whole net, worth all the time
  TL_SAMPLE_BYTES = 8192,             // for each marking of a sample
  TL_SAMPLE_ARCS = 30,                // the same
  TL_SAMPLE_STARTS = 3,               // measures from which annealing begins
  TL_SAMPLE_COARSE = 10,              // runs from many beginnings
  TL_SAMPLE_FINE = 4,                 // and from the best of their ends
  TL_SAMPLE_RANKED = 4000,            // transitions, to rank processes
  TL_SAMPLE_FINALISTS = 16,  // measures that are tried on large samples
  TL_SAMPLE_SAFE = 2,        // a monotone one stands there at the latest
  TL_SAMPLE_GIVEN = 8,       // measures that are given back
  TL_SAMPLE_WIDTH = 30,      // walks side by side at first
  TL_SAMPLE_ATTEMPTS = 4,    // and how often that is adapted
  TL_SAMPLE_RARE = 32,       // walks, below which transitions are rare
  TL_SAMPLE_STEPS = 32,      // before tokens are kept again
  TL_MAXFS_SOLUTIONS = 6,    // looked for
  TL_MAXFS_LEAST = 4,        // transitions tried before one is freed
  TL_MAXFS_TRIALS = 20000,   // and so many in all
  TL_RANKS_SEMIFLOWS = 5000, // looked at
  TL_RANKS_SELECTORS = 4,    // processes with measures of their own
  TL_RANKS_ORIGINS = 6,      // places at which these begin
  TL_RANKS_MANY = 1000,      // tokens where there is no small bound
  TL_CHAIN_SOURCES = 100,    // of a set, from which paths are followed
  TL_ALIKE_ROUNDS = 12,      // of refining colours
  TL_JURY_REFUSES = 4        // times the limit, for one alone to refuse
};

// Stores
enum {
  TL_TABLE_BLOCKS = 16,      // of an empty table
  TL_TABLE_LONGEST = 1536,   // bits of a code that a table takes
  TL_REGROW_GATHER = 32,     // entries moved at once
  TL_PLAIN_GROUP = 32,       // keys whose slots are fetched at once
  TL_TREE_GROUP = 64,        // the same for the tree
  TL_RUNS_TAIL = 1600,       // behind the last home
  TL_RUNS_EVEN = 64,         // an offset this small tells of short runs
  TL_DELTA_FINGERPRINT = 14, // bits of a fingerprint at first
  TL_DELTA_RECENT = 7,       // recent keys at first, a power of two
  TL_DELTA_LEAST_SPARE = 6,  // bits of a fingerprint beyond counting [f]
  TL_DELTA_SPARE = 8,        // and how many it then gets [f]
  TL_DELTA_SPARE_FEW = 12,   // the same while states are few: [f]
  TL_DELTA_FEW = 18,         // counted in so many bits
  TL_DELTA_RECENT_SHARE = 24 // of the fingerprints, for recent keys
};

// The same, with a fraction.  What measures cost on a sample, as a share of
// keeping every marking; heat as a share of the markings.
#define TL_SAMPLE_SHARE 0.7      // a marking visited, of one kept [e]
#define TL_SAMPLE_LOSING 1.2     // more than a sample says, with a loss
#define TL_SAMPLE_FITTED 1.15    // the same, of what was made for samples
#define TL_SAMPLE_RISK 0.01      // a transition never seen that loses progress
#define TL_SAMPLE_GOOD 0.02      // so little that it need not be less
#define TL_SAMPLE_WORK 6e7       // that pilots do in a second, as they count
#define TL_SAMPLE_ANNEALING 0.25 // of the time
#define TL_SAMPLE_DECIDING 0.25  // of the time, for each sample that decides
#define TL_SAMPLE_HOT 0.02       // annealing begins,
#define TL_SAMPLE_WARM 0.003     // begins again from the best,
#define TL_SAMPLE_COLD 0.0007    // and ends

#endif
