#!/usr/bin/env bash
# nats.sh start DIR [SYNC]: a NATS server with JetStream of its own in DIR, on a free port of loopback; prints the port and
# the process. SYNC is how often it syncs its files: a time, or "always". Started again in DIR, it has the same streams.
# nats.sh stop DIR: stops it. Debian 13's package (2.10 knows "always"), by a source list of its own: it is unpacked in
# the folder of the user's caches, and nothing is installed.
set -euo pipefail
verb="${1:?start or stop}"; directory="${2:?a folder}"
unpacked="${XDG_CACHE_HOME:-$HOME/.cache}/raven-bench/nats"
server="$unpacked/root/usr/sbin/nats-server"
unpack() {
    command -v apt-get >/dev/null && command -v dpkg >/dev/null || { echo "this is not Debian" >&2; return 1; }
    mkdir -p "$unpacked/lists/partial" "$unpacked/cache/archives/partial"
    cd "$unpacked"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >sources.list
    local own=(-o "Dir::Etc::SourceList=$unpacked/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$unpacked/lists" -o "Dir::Cache=$unpacked/cache" -o "APT::Sandbox::User=$(id -un)")
    apt-get "${own[@]}" update -qq && apt-get "${own[@]}" download nats-server && dpkg -x nats-server_*.deb root
}
if [ ! -x "$server" ]; then
    unpack >&2 || { echo "nats-server 2.10 could not be unpacked" >&2; exit 3; }
fi
case "$verb" in
    start)
        mkdir -p "$directory"
        port=$((20000 + RANDOM % 20000))
        cat >"$directory/nats.conf" <<CONF
listen: "127.0.0.1:$port"
max_payload: 8MB
jetstream { store_dir: "$directory/store", max_memory_store: 256MB, max_file_store: 64GB, sync_interval: ${3:-always} }
CONF
        "$server" -c "$directory/nats.conf" -l "$directory/log" >/dev/null 2>&1 </dev/null &
        pid=$!
        echo "$pid" >"$directory/pid"
        for _ in $(seq 300); do
            grep -q 'Server is ready' "$directory/log" 2>/dev/null && { echo "$port $pid"; exit 0; }
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        echo "nats-server does not start: $(tail -n 1 "$directory/log")" >&2; exit 1 ;;
    stop)
        pid=$(cat "$directory/pid")
        kill "$pid" 2>/dev/null || true
        while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
        rm -f "$directory/log" ;;
    *) echo "start or stop" >&2; exit 2 ;;
esac
