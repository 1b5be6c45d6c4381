#!/usr/bin/env bash
# redis.sh start DIR: a Redis of its own in DIR, durable at every write, on a free port of loopback; prints the port.
# redis.sh stop DIR: stops it. Installs Debian's package if it is not there (needs root for that alone).
set -euo pipefail
verb="${1:?start or stop}"; directory="${2:?a folder}"
if ! command -v redis-server >/dev/null || ! command -v redis-benchmark >/dev/null; then
    # The package would start a server of its own at once: a policy that forbids it, for this installation alone.
    { apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq redis-server; } >&2 \
        || { echo "Redis is not installed and could not be" >&2; exit 3; }
fi
case "$verb" in
    start)
        mkdir -p "$directory"
        port=$((20000 + RANDOM % 20000))
        redis-server --port "$port" --bind 127.0.0.1 --dir "$directory" --daemonize yes --save '' --appendonly yes \
            --appendfsync always --pidfile "$directory/redis.pid" --logfile "$directory/redis.log" >/dev/null </dev/null
        for _ in $(seq 50); do
            redis-cli -p "$port" ping >/dev/null 2>&1 && { echo "$port"; exit 0; }
            sleep 0.1
        done
        echo "Redis does not answer" >&2; exit 1 ;;
    stop) kill "$(cat "$directory/redis.pid")" ;;
    *) echo "start or stop" >&2; exit 2 ;;
esac
