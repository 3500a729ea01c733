#!/usr/bin/env bash
# Breaks a real cluster on loopback: nginx, Prometheus, three mxrest. Installs nginx and Prometheus; arguments go to `go test`.
# SOAK is how long the mixed load lasts, in seconds or whole minutes (2m).
set -uo pipefail
cd "$(dirname "$0")/../.."
scripts/apt nginx prometheus curl || exit 1
soak=${SOAK:-2m}
mkdir -p build
# The whole is bounded: what the tests wait for has bounds of its own, the mixed load has SOAK on top.
case $soak in *m) minutes=${soak%m} ;; *) minutes=2 ;; esac
go test -tags e2e -count=1 -v -timeout "$((minutes + 14))m" "$@" ./e2e/faults 2>&1 | tee build/faults.log
status=${PIPESTATUS[0]}
passed=$(grep -c '^--- PASS' build/faults.log) failed=$(grep -c '^--- FAIL' build/faults.log)
# A test binary that ended before its tests did counts as a failure too.
[ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
echo "$passed passed, $failed failed"
exit "$status"
