# The targets that people and checks rely on; `make help` lists them.

.DEFAULT_GOAL := help
.PHONY: help run test build contract check fmt

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | sort | expand -t 12

run: ## Build what is missing and serve the product on SQLite
	cargo build --release --locked --bins
	./target/release/aweave-server $(ARGS)

build: ## Build aw and aweave-server for use
	cargo build --release --locked --bins

test: ## Run every test
	cargo build --locked --bins
	cargo test --locked --workspace --no-fail-fast

contract: ## Write openapi.json anew from the server's types
	cargo run --locked --quiet -p api --bin aweave-server -- openapi > openapi.json.new
	mv openapi.json.new openapi.json

check: ## Format, lints, documentation, drift
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --document-private-items --quiet
	cargo run --locked --quiet -p api --bin aweave-server -- openapi | cmp - openapi.json

fmt: ## Format the code
	cargo fmt --all
