#!/bin/sh
# start.sh: runs nginx before the servers that MXREST_SERVERS names, until SIGTERM.
#
#   MXREST_SERVERS      host:port words; a name that has several addresses stands for all of them (mxrest:8080)
#   MXREST_PROXY        where to listen (8080)
#   MXREST_PROXY_DIR    a folder to write to, emptied by nobody (/run/mxrest-proxy)
#   MXREST_PROXY_LOOKUP seconds between two looks (3)
#
# Each look does two things. It looks the names up again: new addresses (a replica was added or made anew) are taken over, one that only
# vanished stays listed. And it asks each address for GET /readyz. One that twice in a row did not answer 200 within two seconds is marked
# down and gets no requests until it does. One that refuses the connection is left to nginx, which sees that by itself, loses no request
# by it and tries again later. When none answers 200, none is marked: nginx goes on trying.
#
# nginx takes a changed list over with a reload. That breaks no request under way but closes kept connections, and before nginx 1.27.4 a
# client that sends at that very moment has to send again. Hence twice in a row: an ordinary restart of a server causes no reload.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
servers=${MXREST_SERVERS:-mxrest:8080}
mkdir -p "${MXREST_PROXY_DIR:=/run/mxrest-proxy}/run"
dir=$(cd "$MXREST_PROXY_DIR" && pwd)
cp "$here/nginx.conf" "$dir/nginx.conf"
cd "$dir/run"

# The addresses of all names, a line each, sorted so that two lists can be compared.
lookup() {
  for server in $servers; do
    getent ahostsv4 "${server%:*}" | while read -r address _; do
      echo "$address:${server##*:}"
    done
  done | sort -u
}

# Asks each address on stdin, all at once, whether it is ready: "ADDRESS yes", "ADDRESS no", or "ADDRESS refused" (curl's exit code 7).
ask() {
  while read -r address; do
    {
      failed=0
      status=$(curl -s -m 2 --noproxy '*' -o /dev/null -w '%{http_code}' "http://$address/readyz") || failed=$?
      case $failed,$status in
        *,200) echo "$address yes" ;;
        7,*) echo "$address refused" ;;
        *) echo "$address no" ;;
      esac
    } </dev/null &
  done
  wait
}

# The list for nginx, from the files listed and down.
upstream() {
  grep -vxFf down listed | sed 's/.*/server & max_fails=3 fail_timeout=2s;/'
  sed 's/.*/server & down;/' down
}

until lookup >listed && [ -s listed ]; do
  echo "start.sh: none of $servers has an address yet" >&2
  sleep 1
done
: >unready
: >down
upstream >upstream.conf

# From nginx 1.27.4 on, a reload lets each kept connection have one more request first. Older ones do not know the word.
listen="listen ${MXREST_PROXY:-8080} backlog=4096;"
echo "$listen keepalive_min_timeout 5s;" >listen.conf
nginx -t -q -p "$dir" -c "$dir/nginx.conf" 2>/dev/null || echo "$listen" >listen.conf

nginx -p "$dir" -c "$dir/nginx.conf" &
nginx=$!
# QUIT lets the requests under way end.
trap 'kill -QUIT $nginx 2>/dev/null || true; wait $nginx || true; exit 0' TERM INT
while kill -0 $nginx 2>/dev/null; do
  sleep "${MXREST_PROXY_LOOKUP:-3}" &
  wait $! || true
  lookup >found
  if grep -qvxFf listed found; then
    mv found listed
  fi
  mv unready before
  ask <listed | sort >answers
  sed -n 's/ no$//p' answers >unready
  : >down
  if grep -q ' yes$' answers; then
    grep -xFf before unready >down || true
  fi
  upstream >next
  if ! cmp -s next upstream.conf; then
    mv next upstream.conf
    echo "start.sh: servers now: $(grep -vxFf down listed | tr '\n' ' ')not ready: $(tr '\n' ' ' <down)" >&2
    kill -HUP $nginx
  fi
done
wait $nginx
