# make             build/tideline, build/libtideline.a and .so
# make demo        install what is missing, build, and show a run
# make test        install what is missing, and run every test
# make check-long  the same with clang, more random nets, real nets, `wide`, and
#                  packages in a clean root
# make wide        some tests, with lists of numbers as beyond 2^32 states
# make oracle      compare with the known answers of real nets (TIDELINE_MODELS)
# make fuzz        fuzz every reader for FUZZ_SECONDS each (needs clang)
# make bench       measure speed; bench-storage: memory; bench-sweep and
#                  bench-stubborn: states; bench-graph: graphs; bench-threads:
#                  several threads; bench-gpu: a GPU; bench-coloured: coloured
#                  nets; bench-docs: all, for the docs
# make mutants    break the code in known ways and see that a test notices
# make lint        layers, headers, exported names, format, paths
# make python      the module for Python, in build/python
# make wheel       a wheel of it, in build/dist
# make deb         Debian packages, in build/deb
# make install     program, header, libraries, man pages, completion; built for
#                  any machine of this kind (CONFIG=portable), for this one with
#                  CONFIG=release, for others with MARCH=-march=...
#
# Variables: CC, CFLAGS, MARCH (default: this machine), PREFIX, LIBDIR, DESTDIR,
# JOBS, CONFIG=release|portable|debug|wide|tsan.  Nothing is written outside build/ but
# by install.

CONFIG  ?= release
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
VERSION := $(shell cat VERSION)
MARCH   ?= $(shell $(CC) -march=native -E -x c /dev/null >/dev/null 2>&1 && echo -march=native)
B       := build$(if $(filter-out release,$(CONFIG)),/$(CONFIG))

STD      = -std=gnu11 -D_GNU_SOURCE -DTL_VERSION='"$(VERSION)"'
WARN     = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
release  = -O3 -g $(MARCH) -DNDEBUG
portable = -O3 -g $(if $(filter-out file,$(origin MARCH)),$(MARCH)) -DNDEBUG
debug    = -O1 -g3 $(MARCH) -fsanitize=address,undefined -fno-sanitize-recover=all
clang    = $(release)
wide     = $(debug) -DTL_NARROW_MOST=5
tsan     = -O1 -g $(MARCH) -fsanitize=thread
fuzz     = -O1 -g3 $(MARCH) -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FLAGS    = $(STD) $(WARN) -Iinclude -Isrc -isystem /usr/include/coin -MMD -MP -fPIC -fvisibility=hidden $($(CONFIG)) $(CFLAGS)
LDLIBS   = -pthread -lClp -lCoinUtils -lexpat -lxxhash -lzstd -llzma -lz -ljansson -lm
SONAME   = libtideline.so.0

# What MPI programs are built with; empty: there is none, and no plugin.
MPI     := $(shell pkg-config --cflags --libs mpi-c 2>/dev/null || pkg-config --cflags --libs ompi-c 2>/dev/null || mpicc --showme 2>/dev/null | cut -d' ' -f2-)
PLUGIN  := $(if $(MPI),$B/tideline-mpi.so)

objects  = $(patsubst %.c,$B/obj/%.o,$(patsubst src/%,%,$(wildcard $(1))))
LIB_O   := $(filter-out $B/obj/cli/% $B/obj/dist/%,$(call objects,src/*/*.c))
CLI_O   := $(call objects,src/cli/*.c)
TEST_O  := $(call objects,tests/*.c)
TESTS   := $(patsubst tests/%.c,$B/tests/%,$(wildcard tests/unit/test_*.c tests/random/*.c) $(if $(MPI),$(wildcard tests/dist/*.c)))
THREADS := $(patsubst tests/%.c,$B/tests/%,$(wildcard tests/threads/*.c)) $(addprefix $B/tests/random/,random machine logic)
FUZZERS := $(patsubst tests/%.c,$B/tests/%,$(wildcard tests/fuzz/fuzz_*.c))

all: $B/tideline $B/libtideline.so $B/tideline.1 $(PLUGIN)
tests: $(TESTS)
asking: $(addprefix $B/tests/random/,logic guided named) $(if $(MPI),$(addprefix $B/tests/dist/,ranks sweeps))

$B/tideline: $(CLI_O) $B/libtideline.a ; $(CC) $(FLAGS) -o $@ $^ $(LDLIBS)
$B/libtideline.a: $(LIB_O) ; @rm -f $@; $(AR) rcs $@ $^
$B/libtideline.so: $(LIB_O) ; $(CC) $(FLAGS) -shared -Wl,-soname,$(SONAME) -o $@ $^ $(LDLIBS)
$B/tideline-mpi.so: src/dist/mpi.c src/explore/cluster.h Makefile ; @mkdir -p $(@D); $(CC) $(filter-out -MMD -MP,$(FLAGS)) -shared -o $@ $< $(subst -I,-isystem ,$(MPI))
$B/libtests.a: $(TEST_O) ; @rm -f $@; $(AR) rcs $@ $^
$B/tideline.1: docs/tideline.1 $B/tideline ; $B/tideline help --roff | sed -e '/^.SH OPTIONS/r /dev/stdin' -e 's/@VERSION@/$(VERSION)/' $< >$@
$B/obj/%.o: src/%.c Makefile VERSION ; @mkdir -p $(@D); $(CC) $(FLAGS) -c -o $@ $<
PAGE_JS := $(wildcard src/page/script/*.js)
$B/gen/page/files.h: tools/embed src/page/script/page.css $(PAGE_JS) ; @mkdir -p $(@D); tools/embed src/page/script/page.css $(PAGE_JS) >$@.new && mv $@.new $@
$B/obj/page/page.o: $B/gen/page/files.h
$B/obj/api/api_ranks.o: FLAGS += -DTL_LIBDIR='"$(LIBDIR)"'
$B/obj/page/page.o: FLAGS += -I$B/gen
GPU_TEXT := src/gpu/call.h $(wildcard src/gpu/text/*.cuh)
$B/gen/gpu/strings.h: tools/strings $(GPU_TEXT) ; @mkdir -p $(@D); tools/strings $(GPU_TEXT) >$@.new && mv $@.new $@
$B/obj/gpu/kernel_text.o: $B/gen/gpu/strings.h
$B/obj/gpu/kernel_text.o: FLAGS += -I$B/gen
$B/obj/tests/%.o: tests/%.c Makefile ; @mkdir -p $(@D); $(CC) $(FLAGS) -c -o $@ $<
$B/tests/fuzz/%: tests/fuzz/%.c $B/libtideline.a ; @mkdir -p $(@D); $(CC) $(FLAGS) -fsanitize=fuzzer -o $@ $(filter %.c %.a,$^) $(LDLIBS)
$B/tests/threads/%: tests/threads/%.c $B/libtideline.a ; @mkdir -p $(@D); $(CC) $(FLAGS) -o $@ $(filter %.c %.a,$^) -lcmocka $(LDLIBS)
$B/bench/%: bench/%.c $B/libtideline.a ; @mkdir -p $(@D); $(CC) $(FLAGS) -o $@ $(filter %.c %.a,$^) $(LDLIBS)
$B/tests/%: tests/%.c $B/libtests.a $B/libtideline.a ; @mkdir -p $(@D); $(CC) $(FLAGS) -o $@ $(filter %.c %.a,$^) -lcmocka $(LDLIBS)

# The module for Python, as PYTHONPATH can name it: $B/python.
PYTHON  ?= python3
PY_O    := $(patsubst python/extension/%.c,$B/obj/python/%.o,$(wildcard python/extension/*.c))
PY_FILES := $(patsubst python/%,$B/python/%,$(wildcard python/tideline/*.py python/tideline/*.pyi) python/tideline/py.typed)
PY_INCLUDE = $(shell $(PYTHON) -c 'import sysconfig; print (sysconfig.get_path ("include"))')
python: $B/python/tideline/_tideline.abi3.so $(PY_FILES)
program: $B/tideline
wheel: ; @CONFIG=$(if $(filter file,$(origin CONFIG)),portable,$(CONFIG)) JOBS=$(JOBS) $(PYTHON) python/backend.py build/dist
$B/obj/python/%.o: python/extension/%.c python/extension/extension.h include/tideline.h Makefile ; @mkdir -p $(@D); $(CC) $(FLAGS) -isystem $(PY_INCLUDE) -c -o $@ $<
$B/python/tideline/_tideline.abi3.so: $(PY_O) $B/libtideline.a ; @mkdir -p $(@D); $(CC) $(FLAGS) -shared -Wl,--exclude-libs,ALL -o $@ $^ $(LDLIBS)
$B/python/tideline/%: python/tideline/% ; @mkdir -p $(@D); cp $< $@

demo: ; @tools/setup build && $(MAKE) -s -j$(JOBS) all && tools/demo
test: ; @tools/setup test && { tools/setup browser || echo "without these, pages are not tested in a browser"; } && { tools/setup python || echo "without these, the package for Python is not tested"; } && { tools/setup mpi || echo "without these, several ranks are not tested"; } && $(MAKE) -s -j$(JOBS) all asking && $(MAKE) -s -j$(JOBS) CONFIG=debug all tests && $(MAKE) -s -j$(JOBS) CONFIG=tsan threads && JOBS=$(JOBS) tools/test
check-long: ; @tools/setup test fuzz deb root && $(MAKE) -s -j$(JOBS) CC=clang CONFIG=clang all && $(MAKE) wide && LONG=1 $(MAKE) test oracle && tests/packages/run
WIDE := $(addprefix build/wide/tests/,unit/test_graph unit/test_terminal unit/test_home_graph random/random random/logic)
wide: ; @$(MAKE) -s -j$(JOBS) CONFIG=wide $(WIDE) && for t in $(WIDE); do $$t || exit 1; done
oracle: all ; @tests/oracle/run && tests/oracle/coloured -j $(JOBS)
fuzz: ; @tools/setup fuzz && $(MAKE) -s -j$(JOBS) all && $(MAKE) -s -j$(JOBS) CC=clang CONFIG=fuzz fuzzers && tools/fuzz $(FUZZ_SECONDS)
fuzzers: $(FUZZERS)
threads: $(THREADS)
bench: all $B/bench/limit ; @bench/run
bench-storage: all ; @bench/storage
bench-sweep: all ; @bench/sweep
bench-stubborn: all ; @bench/stubborn
bench-graph: all ; @bench/graph && bench/swept
bench-coloured: all ; @bench/coloured
bench-symbolic: all ; @bench/symbolic
bench-threads: all ; @bench/threads
bench-gpu: all ; @bench/gpu
bench-docs: bench bench-storage bench-sweep bench-stubborn bench-graph bench-coloured ; @bench/docs
lint: ; @tools/lint
deb: ; @tools/setup deb python mpi && tools/deb
mutants: ; @tools/setup test && $(MAKE) -s -j$(JOBS) CONFIG=debug all tests && tools/mutants

install: ; @$(MAKE) CONFIG=$(if $(filter file,$(origin CONFIG)),portable,$(CONFIG)) install-files
install-files: all
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(addprefix $(DESTDIR)$(PREFIX)/,bin include share/man/man1 share/man/man3 share/bash-completion/completions share/zsh/site-functions share/fish/vendor_completions.d)
	install $B/tideline $(DESTDIR)$(PREFIX)/bin/
	install -m 644 include/tideline.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $B/libtideline.a $(DESTDIR)$(LIBDIR)/
	install $B/libtideline.so $(DESTDIR)$(LIBDIR)/libtideline.so.$(VERSION)
	ln -sf libtideline.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libtideline.so
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(LDLIBS)|' tools/tideline.pc >$(DESTDIR)$(LIBDIR)/pkgconfig/tideline.pc
	install -m 644 $B/tideline.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	$(if $(PLUGIN),install -d $(DESTDIR)$(LIBDIR)/tideline && install $(PLUGIN) $(DESTDIR)$(LIBDIR)/tideline/)
	sed 's/@VERSION@/$(VERSION)/' docs/tideline.3 >$(DESTDIR)$(PREFIX)/share/man/man3/tideline.3
	install -m 644 tools/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/tideline
	install -m 644 tools/completion.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tideline
	install -m 644 tools/completion.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tideline.fish

clean: ; rm -rf build
-include $(LIB_O:.o=.d) $(CLI_O:.o=.d) $(TEST_O:.o=.d) $(TESTS:=.d)
.PHONY: all python program wheel tests asking threads demo test check-long wide oracle fuzz fuzzers bench bench-storage bench-sweep bench-stubborn bench-graph bench-coloured bench-symbolic bench-threads bench-gpu bench-docs lint deb mutants install install-files clean
