#!/usr/bin/env bash
# Runs every example of README.md and docs/ against a real server: run.sh [go test flags]. Wants go, bash, curl, jq, xxd, python3
# and node.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v jq xxd curl python3 node >/dev/null || scripts/apt jq xxd curl
log=build/e2e-docs.log
mkdir -p build
status=0
go test -tags e2e -count=1 -v "$@" ./e2e/docs 2>&1 | tee "$log" || status=1
count() { grep -cE "^ {8}--- $1: " "$log" || true; }
echo "$(count PASS) passed, $(count FAIL) failed"
exit "$status"
