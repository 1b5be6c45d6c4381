#!/usr/bin/env bash
# postgresql.sh start DIR: a PostgreSQL of its own in DIR, on a free port of loopback; prints the port.
# postgresql.sh follow DIR PORT NAME: a standby of the one at that port, under this name; prints its own port.
# postgresql.sh stop DIR: stops it.
# postgresql.sh dump DIR PORT FILE: writes its table of documents; restore DIR PORT FILE: reads that into the empty table.
# Installs Debian's package if it is not there (needs root for that alone).
set -euo pipefail
verb="${1:?start, follow, stop, dump or restore}"; directory="${2:?a folder}"
find_bin() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1; }
bin=$(find_bin)
if [ -z "$bin" ]; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; } >&2 \
        || { echo "PostgreSQL is not installed and could not be" >&2; exit 3; }
    bin=$(find_bin)
fi
# PostgreSQL refuses to run as root: then it runs as the user that Debian made for it.
as_owner() { if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres --clear-groups "$@"; else "$@"; fi; }
# Durable as ours is: every commit waits for the disk. Memory and checkpoints as one would set them for load.
start_server() {
    local port=$((20000 + RANDOM % 20000))
    as_owner "$bin/pg_ctl" -D "$directory/pg" -w -t 30 -l "$directory/pg/server.log" start -o "-p $port \
        -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c shared_buffers=$1 -c synchronous_commit=on \
        -c wal_sync_method=fdatasync -c max_wal_size=8GB -c max_connections=200" >/dev/null </dev/null
    echo "$port"
}
case "$verb" in
    start)
        mkdir -p "$directory"
        [ "$(id -u)" != 0 ] || chown postgres "$directory"
        cd "$directory"
        as_owner "$bin/initdb" -D "$directory/pg" -U bench --auth=trust --no-sync -E UTF8 >"$directory/initdb.log" 2>&1 </dev/null
        start_server 1GB ;;
    follow)
        mkdir -p "$directory"
        [ "$(id -u)" != 0 ] || chown postgres "$directory"
        cd "$directory"
        as_owner "$bin/pg_basebackup" -d "host=127.0.0.1 port=$3 user=bench application_name=$4" -D "$directory/pg" \
            --checkpoint=fast -R --no-sync >"$directory/basebackup.log" 2>&1 </dev/null
        start_server 256MB ;;
    stop)
        cd "$directory"
        as_owner "$bin/pg_ctl" -D "$directory/pg" -m immediate stop >/dev/null </dev/null ;;
    dump) "$bin/pg_dump" -h 127.0.0.1 -p "$3" -U bench -Fc -Z1 -t docs -f "$4" postgres ;;
    restore) "$bin/pg_restore" -h 127.0.0.1 -p "$3" -U bench --data-only --exit-on-error -d postgres "$4" ;;
    *) echo "start, follow, stop, dump or restore" >&2; exit 2 ;;
esac
