#!/bin/sh
# start.sh: runs nginx before the servers that MXREST_SERVERS names, until SIGTERM.
#
#   MXREST_SERVERS   host:port words; a name that has several addresses stands for all of them (mxrest:8080)
#   MXREST_PROXY     where to listen (8080)
#   MXREST_PROXY_DIR a folder to write to, emptied by nobody (/run/mxrest-proxy)
#
# Every few seconds the names are looked up again. New addresses (a replica was added or made anew) are taken over with a reload, which
# breaks no request under way. An address that only vanished stays listed: nginx finds dead servers by itself and tries them later.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
servers=${MXREST_SERVERS:-mxrest:8080}
dir=${MXREST_PROXY_DIR:-/run/mxrest-proxy}
mkdir -p "$dir/run"
cp "$here/nginx.conf" "$dir/nginx.conf"
echo "listen ${MXREST_PROXY:-8080} backlog=4096;" >"$dir/run/listen.conf"

# The servers as lines of nginx's configuration, sorted, so that two lists can be compared.
lookup() {
  for server in $servers; do
    getent ahostsv4 "${server%:*}" | while read -r address _; do
      echo "server $address:${server##*:} max_fails=3 fail_timeout=2s;"
    done
  done | sort -u
}

until lookup >"$dir/run/upstream.conf" && [ -s "$dir/run/upstream.conf" ]; do
  echo "start.sh: none of $servers has an address yet" >&2
  sleep 1
done

nginx -p "$dir" -c "$dir/nginx.conf" &
nginx=$!
# QUIT lets the requests under way end.
trap 'kill -QUIT $nginx 2>/dev/null || true; wait $nginx || true; exit 0' TERM INT
while kill -0 $nginx 2>/dev/null; do
  sleep "${MXREST_PROXY_LOOKUP:-3}" &
  wait $! || true
  lookup >"$dir/run/found" || continue
  if grep -qvxFf "$dir/run/upstream.conf" "$dir/run/found"; then
    cp "$dir/run/found" "$dir/run/upstream.conf"
    echo "start.sh: servers now: $(cut -d' ' -f2 "$dir/run/found" | tr '\n' ' ')" >&2
    kill -HUP $nginx
  fi
done
wait $nginx
