#!/usr/bin/env bash
# Runs Schemathesis against a fresh server: every response has to match openapi.json, and none may have a status of 5xx.
# EXAMPLES is the number of examples per operation and phase; 1500 make more than 20,000 requests. Needs Python and
# `pip install schemathesis`. SCHEMATHESIS names the command if it is not on the PATH.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --locked --bins
folder=$(mktemp -d)
DEBATE_DB_PATH="$folder/data/debate.db" RUST_LOG=warn target/debug/aweave-server --port 0 >"$folder/stdout" &
server=$!
trap 'kill "$server"; wait "$server" || true; rm -rf "$folder"' EXIT
until grep -q 'listening on' "$folder/stdout"; do kill -0 "$server"; sleep 0.1; done
url=$(sed -n 's/^listening on //p' "$folder/stdout")
"${SCHEMATHESIS:-schemathesis}" run openapi.json --url "$url" \
    --phases examples,coverage,fuzzing,stateful --max-examples "${EXAMPLES:-50}" --request-timeout 70 --continue-on-failure \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
    "$@"
