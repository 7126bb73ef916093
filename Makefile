# The targets that people and checks rely on; `make help` lists them.

.DEFAULT_GOAL := help
.PHONY: help run demo test build web contract check fmt

# Whatever the web app is made of: it is built anew when one of these is newer.
WEB_SOURCES := $(shell find web/src web/public web/scripts web/package-lock.json web/*.ts web/*.mjs -type f 2>/dev/null)

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | sort | expand -t 12

run: build ## Build what is missing and serve the product on SQLite
	./target/release/aweave-server $(ARGS)

demo: build ## Watch two agents argue, and rule in the browser; keeps nothing (DEMO_SPEED=3 is quicker)
	node demo/demo.mjs

build: web ## Build aw and aweave-server for use
	cargo build --release --locked --bins

web: web/out/index.html ## Build the web app, where it is missing or stale

web/out/index.html: web/node_modules/.installed $(WEB_SOURCES) openapi.json
	cd web && npm run build
	touch $@

web/node_modules/.installed: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	touch $@

test: web ## Run every test
	cargo build --locked --bins
	cargo test --locked --workspace --no-fail-fast
	cd web && npm test && npm run e2e

contract: ## Write openapi.json anew from the server's types
	cargo run --locked --quiet -p api --bin aweave-server -- openapi > openapi.json.new
	mv openapi.json.new openapi.json

check: web/node_modules/.installed ## Format, lints, documentation, drift
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --document-private-items --quiet
	cargo run --locked --quiet -p api --bin aweave-server -- openapi | cmp - openapi.json
	cd web && npm run check:types && npm run lint && npm run check:drift

fmt: ## Format the code
	cargo fmt --all
