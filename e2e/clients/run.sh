#!/usr/bin/env bash
# Generates a client of each kind from the document that a running server serves, compiles it, and lets it do the same work
# against that server as curl does: run.sh [--only NAME,...]. Everything it installs goes into build/, which git ignores.
# Wants go, python3 (3.11 or newer, with venv), node and npm, a JDK (17 or newer) and mvn; a .NET SDK is used where there is one.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$PWD/build/e2e-clients
mkdir -p "$build"

# The Python side (the runner and four generators) lives in a virtual environment, made anew when the pins change.
want=$(sha256sum e2e/clients/requirements.txt | cut -d' ' -f1)
if [ "$(cat "$build/venv/pins" 2>/dev/null)" != "$want" ]; then
  rm -rf "$build/venv"
  python3 -m venv "$build/venv"
  "$build/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r e2e/clients/requirements.txt
  echo "$want" >"$build/venv/pins"
fi
exec "$build/venv/bin/python" e2e/clients/run.py --build "$build" "$@"
