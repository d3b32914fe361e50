# make            build/tideline, build/libtideline.a and .so
# Variables: CC, CFLAGS, MARCH (default: this machine), CONFIG=release|debug.
# Nothing is written outside build/.

CONFIG  ?= release
VERSION := $(shell cat VERSION)
MARCH   ?= $(shell $(CC) -march=native -E -x c /dev/null >/dev/null 2>&1 && echo -march=native)
B       := build$(if $(filter-out release,$(CONFIG)),/$(CONFIG))

STD      = -std=gnu11 -D_GNU_SOURCE -DTL_VERSION='"$(VERSION)"'
WARN     = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
release  = -O3 -g $(MARCH) -DNDEBUG
debug    = -O1 -g3 $(MARCH) -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS    = $(STD) $(WARN) -Iinclude -Isrc -I/usr/include/coin -MMD -MP -fPIC -fvisibility=hidden $($(CONFIG)) $(CFLAGS)
LDLIBS   = -lClp -lCoinUtils -lexpat -lgmp -lxxhash -lzstd -ljansson -lm

LIB_O   := $(patsubst src/%.c,$B/obj/%.o,$(filter-out src/cli/%,$(wildcard src/*/*.c)))
CLI_O   := $(patsubst src/%.c,$B/obj/%.o,$(wildcard src/cli/*.c))

all: $B/tideline
$B/tideline: $(CLI_O) $B/libtideline.a ; $(CC) $(FLAGS) -o $@ $^ $(LDLIBS)
$B/libtideline.a: $(LIB_O) ; @rm -f $@; $(AR) rcs $@ $^
$B/obj/%.o: src/%.c Makefile VERSION ; @mkdir -p $(@D); $(CC) $(FLAGS) -c -o $@ $<
clean: ; rm -rf build
-include $(LIB_O:.o=.d) $(CLI_O:.o=.d)
.PHONY: all clean
