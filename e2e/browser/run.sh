#!/usr/bin/env bash
# Tests the page and /docs in Chromium against the real server. Installs what it needs (Debian's chromium, two npm packages), builds the server, runs every test file
# in tests/, keeps screenshots in build/screenshots/, and closes with "N passed, N failed". Arguments pick tests by a part of their name.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"

if ! command -v chromium >/dev/null; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
fi
command -v node >/dev/null || { echo "browser tests: node 20 or newer is needed" >&2; exit 2; }
if ! cmp -s "$here/package-lock.json" "$here/node_modules/.lock-used"; then
  (cd "$here" && npm ci --no-audit --no-fund --loglevel=error && cp package-lock.json node_modules/.lock-used)
fi

mkdir -p build/screenshots
go build -o build/mxrest-browser ./cmd/mxrest
MXREST_BIN="$root/build/mxrest-browser" SCREENSHOTS="$root/build/screenshots" exec node "$here/main.mjs" "$@"
