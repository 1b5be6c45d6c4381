#!/usr/bin/env bash
# What a published program weighs: its size, how long from its start to its first answer, and its memory when idle.
#   packaging/measure.sh DIR [RUNS]     DIR has the program raven, published as docs/operations.md says
# The first start, which unpacks nothing but reads the file from the disk, is told by itself; the others are warm.
set -euo pipefail
app="$(cd "${1:?the folder with the program}" && pwd)/raven"
runs="${2:-11}"
work="$(mktemp -d)"
pid=""
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
resident() { awk '/^RssAnon/ { a = $2 } /^VmRSS/ { r = $2 } END { print r " " a }' "/proc/$1/status"; }
port=$((20000 + RANDOM % 20000))
times=()
for ((run = 0; run <= runs; run++)); do
    begin="$(date +%s%N)"
    "$app" server --ServerUrl="http://127.0.0.1:$port" --DataDir="$work/data" >"$work/out" 2>"$work/err" &
    pid=$!
    until curl --silent --fail --output /dev/null "http://127.0.0.1:$port/build/version"; do
        kill -0 "$pid" || { cat "$work/err" >&2; exit 1; }
        sleep 0.005
    done
    took=$((($(date +%s%N) - begin) / 1000000))
    if [ "$run" -eq 0 ]; then first="$took"; else times+=("$took"); fi
    if [ "$run" -eq "$runs" ]; then
        sleep 5
        memory="$(resident "$pid")"
        # What is kept for reuse is given back after six seconds without work, once the compiler is warm.
        sleep 20
        later="$(resident "$pid")"
    fi
    kill "$pid"
    wait "$pid" || true
    pid=""
done
median="$(printf '%s\n' "${times[@]}" | sort -n | sed -n "$(((runs + 1) / 2))p")"
best="$(printf '%s\n' "${times[@]}" | sort -n | head -n 1)"
echo "files           $(find "$(dirname "$app")" -type f | wc -l), $(($(du -sb --apparent-size "$(dirname "$app")" | cut -f1) / 1000000)) MB; raven itself $(($(stat -c %s "$app") / 1000000)) MB"
echo "first start     $first ms to the first answer"
echo "warm start      $median ms (median of $runs; the best $best ms)"
for figure in "5 s  $memory" "25 s $later"; do
    read -r seconds unit all own <<<"$figure"
    printf 'idle after %-5s%s MB resident, %s MB of it its own\n' "$seconds $unit" "$((all / 1000))" "$((own / 1000))"
done
