#!/usr/bin/env bash
# Lets schemathesis make requests from the document that a running server serves, good and bad ones, and hold every answer
# against it: run.sh [schemathesis flags]. All checks are on; schemathesis.toml says what is not a finding, and why.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$PWD/build/e2e-schemathesis
mkdir -p "$build"

want=$(sha256sum e2e/schemathesis/requirements.txt | cut -d' ' -f1)
if [ "$(cat "$build/venv/pins" 2>/dev/null)" != "$want" ]; then
  rm -rf "$build/venv"
  python3 -m venv "$build/venv"
  "$build/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r e2e/schemathesis/requirements.txt
  echo "$want" >"$build/venv/pins"
fi

go build -o "$build/mxrest" ./cmd/mxrest
"$build/mxrest" serve --listen 127.0.0.1:0 2>"$build/server.log" &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true' EXIT
url=
for _ in $(seq 100); do # the start line says which port was free
  url=$(grep -oE '127\.0\.0\.1:[0-9]+' "$build/server.log" | head -1) && [ -n "$url" ] && break
  kill -0 "$server" || { cat "$build/server.log"; echo "0 passed, 1 failed"; exit 1; }
  sleep 0.1
done
url=http://$url
curl -sf --retry 50 --retry-connrefused --retry-delay 0 "$url/readyz" >/dev/null

config=$PWD/e2e/schemathesis/schemathesis.toml
cd "$build" # it keeps what it found in a folder where it starts
status=0
"$build/venv/bin/schemathesis" --no-color --config-file "$config" run "$url/openapi.json" --url "$url" \
  --checks all --report junit --report-junit-path "$build/report.xml" "$@" || status=1
# A server that fell over would be a finding too, even if no answer said so.
curl -sf "$url/readyz" >/dev/null || { echo "the server does not answer any more"; status=1; }
if [ "$status" = 0 ]; then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed"; fi
exit "$status"
