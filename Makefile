# Suanjia. `make help` lists what can be made.
#
#   CC=clang      another compiler            SAN=1   with ASan and UBSan, in build/san
#   BUILD=dir     another build folder        V=1     show the commands

BUILD ?= build
ifdef SAN
BUILD := $(BUILD)/san
endif
CC ?= gcc
Q := $(if $(V),,@)

PACKAGES := libmicrohttpd gnutls jansson sqlite3 libcrypto libzip expat
PKG_CFLAGS = $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PKG_LIBS = $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)

VERSION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)
CPPFLAGS += -Iserver -I. -D_GNU_SOURCE
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes \
            -Wformat=2 -Wundef -Wcast-qual -Wvla -Werror
CFLAGS ?= -O2 -g
HARDEN := -fPIE -fstack-protector-strong -fno-strict-aliasing -fno-strict-overflow \
          -ftrivial-auto-var-init=pattern
LDHARDEN := -pie -Wl,-z,relro,-z,now,-z,noexecstack
ifdef SAN
HARDEN += -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
LDHARDEN += -fsanitize=address,undefined
else
CPPFLAGS += -D_FORTIFY_SOURCE=2
HARDEN += -fstack-clash-protection -fcf-protection
endif
ALL_CFLAGS = -std=gnu17 $(WARNINGS) $(HARDEN) $(CFLAGS) $(PKG_CFLAGS)
LIBS = $(PKG_LIBS) -lm -lpthread

# Rooms, leaves last: a room may use only what stands to its right (tests/check-source holds it).
ROOMS := api http store sheet acceptance market engine offer base
SOURCES := $(foreach room,$(ROOMS),$(wildcard server/$(room)/*.c))
OBJECTS := $(SOURCES:server/%.c=$(BUILD)/%.o)
ARCHIVES := $(foreach room,$(ROOMS),$(if $(wildcard server/$(room)/*.c),$(BUILD)/lib$(room).a))
BAKED := $(sort $(shell find migrations schema static -type f ! -name package.json 2>/dev/null))
# The page's texts are baked twice, as they are and compressed: they travel as a third of their size.
ZIPPED := $(patsubst %,$(BUILD)/gen/zip/%.gz,$(filter static/%.html static/%.css static/%.js,$(BAKED)))
BENCH := $(patsubst tests/bench/bench_%.c,$(BUILD)/bench/bench_%,$(wildcard tests/bench/bench_*.c))
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))

.PHONY: all help run test check-source unit accuracy accuracy-fit test-oracle faults fuzz bench install clean \
        deps test-deps bench-deps FORCE
all: $(BUILD)/suanjia

help:
	@echo 'make run            install what is missing, build, start the demo on https://127.0.0.1:8443'
	@echo 'make test           every test (SAN=1: under ASan and UBSan); the last line counts'
	@echo 'make                build $(BUILD)/suanjia'
	@echo 'make check-source   the walls between the rooms, banned calls, long functions; seconds'
	@echo 'make unit           the C unit tests only'
	@echo 'make accuracy       predictions against published measurements -> tests/accuracy/REPORT.md'
	@echo 'make accuracy-fit   training with each source left out of the fit -> training_left_out.csv'
	@echo 'make test-oracle    the planner against an independent brute force, many random cases'
	@echo 'make faults         kill -9, failing writes and syncs, power cuts, a full disk'
	@echo 'make bench          speed, as ratios in one run'
	@echo 'make fuzz           each fuzz target for FUZZ_SECONDS (60)'
	@echo 'make install        to $$DESTDIR$$PREFIX (/usr/local)'
	@echo 'make clean          forget $(BUILD)'

deps:
	$(Q)deploy/install-packages build
test-deps:
	$(Q)deploy/install-packages build test
bench-deps:
	$(Q)deploy/install-packages build bench

# The packages must be there before pkg-config is asked, so the real work is a second make.
run: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)exec $(BUILD)/suanjia demo

test: test-deps
	$(Q)$(MAKE) --no-print-directory all $(BUILD)/bare_server $(UNIT)
	$(Q)BUILD=$(BUILD) tests/run

unit: $(UNIT)
	$(Q)BUILD=$(BUILD) tests/run unit

check-source:
	$(Q)tests/check-source

accuracy: all
	$(Q)BUILD=$(BUILD) tests/accuracy/run
accuracy-fit: all $(BUILD)/fit_engine
	$(Q)BUILD=$(BUILD) node tests/accuracy/fit/fit.mjs

bench: bench-deps
	$(Q)$(MAKE) --no-print-directory all $(BENCH)
	$(Q)BUILD=$(BUILD) tests/bench/run

fuzz:
	$(Q)BUILD=$(BUILD) tests/fuzz/run

faults: all
	$(Q)BUILD=$(BUILD) tests/faults/run

test-oracle: all
	$(Q)BUILD=$(BUILD) tests/oracle/run

PREFIX ?= /usr/local
install: all
	install -D -m 755 $(BUILD)/suanjia $(DESTDIR)$(PREFIX)/bin/suanjia
	install -D -m 644 deploy/suanjia.service $(DESTDIR)/lib/systemd/system/suanjia.service
	install -D -m 644 deploy/suanjia.socket $(DESTDIR)/lib/systemd/system/suanjia.socket

clean:
	rm -rf $(BUILD)

$(BUILD)/suanjia: $(BUILD)/main.o $(ARCHIVES)
	@echo "  link   $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDHARDEN) -o $@ $< -Wl,--start-group $(ARCHIVES) -Wl,--end-group $(LIBS)

$(BUILD)/%.o: server/%.c
	@mkdir -p $(@D)
	@echo "  cc     $<"
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Touched only when the version changes: nothing is linked again without need.
$(BUILD)/gen/version: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION)' > $@.new; cmp -s $@.new $@ || mv $@.new $@
$(BUILD)/api/version.o: $(BUILD)/gen/version
$(BUILD)/api/version.o: CPPFLAGS += -DSUANJIA_VERSION='"$(VERSION)"'

$(BUILD)/gen/zip/%.gz: %
	@mkdir -p $(@D)
	$(Q)gzip -9nc $< > $@
$(BUILD)/gen/baked.S: $(BAKED) $(ZIPPED) tests/bake Makefile
	@mkdir -p $(@D)
	$(Q)tests/bake $(BAKED) $(ZIPPED) > $@.new && mv $@.new $@
$(BUILD)/gen/baked.o: $(BUILD)/gen/baked.S
	@echo "  bake   $(words $(BAKED)) files"
	$(Q)$(CC) -c -o $@ $<

define room_archive
$(BUILD)/lib$(1).a: $(filter $(BUILD)/$(1)/%,$(OBJECTS)) $(if $(filter base,$(1)),$(BUILD)/gen/baked.o)
	$(Q)rm -f $$@ && ar rcs $$@ $$^
endef
$(foreach room,$(ROOMS),$(eval $(call room_archive,$(room))))

# A unit test links the rooms; it may instead include the .c it tests to reach its statics.
$(BUILD)/unit/%: tests/unit/%.c $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "  unit   $<"
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP $(LDHARDEN) -o $@ $< \
	    -Wl,--start-group $(ARCHIVES) -Wl,--end-group $(LIBS) -lcmocka

$(BUILD)/bench/%: tests/bench/%.c tests/bench/catalogue.c $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "  bench  $<"
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP $(LDHARDEN) -o $@ $< tests/bench/catalogue.c \
	    -Wl,--start-group $(ARCHIVES) -Wl,--end-group $(LIBS)

# The training engine with its constants open to tests/accuracy/fit.
$(BUILD)/fit_engine: tests/accuracy/fit/engine.c $(wildcard server/engine/training*) $(ARCHIVES)
	@echo "  fit    $<"
	$(Q)$(CC) $(CPPFLAGS) -Dconst= -std=gnu17 -O2 -w $(PKG_CFLAGS) -o $@ $< \
	    $(filter-out %training_constants.c,$(filter %.c,$(wildcard server/engine/training*))) \
	    -Wl,--start-group $(ARCHIVES) -Wl,--end-group $(LIBS)

# The HTTP room alone, with a handful of routes: what tests/http/bare.mjs drives.
$(BUILD)/bare_server: tests/http/bare_server.c $(BUILD)/libhttp.a $(BUILD)/libbase.a
	@echo "  link   $@"
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP $(LDHARDEN) -o $@ $< \
	    $(BUILD)/libhttp.a $(BUILD)/libbase.a $(LIBS)

-include $(OBJECTS:.o=.d) $(BUILD)/bare_server.d $(BUILD)/main.d $(UNIT:=.d) $(BENCH:=.d)
