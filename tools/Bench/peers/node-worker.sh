#!/usr/bin/env bash
# node-worker.sh DIR: installs the official Node client in DIR.
# node-worker.sh DIR URL DATABASE SUBSCRIPTION COUNT: a worker of it takes COUNT documents; prints how many a second.
set -euo pipefail
directory="${1:?a folder}"; shift
command -v node >/dev/null || { echo "node is not there" >&2; exit 3; }
peers="$(cd "$(dirname "$0")" && pwd)"
mkdir -p "$directory"
cp "$peers/node-worker.mjs" "$directory/"
cd "$directory"
if [ ! -d node_modules/ravendb ]; then
    npm install --no-audit --no-fund --silent --no-package-lock ravendb@7.2.6 >&2 \
        || { echo "npm install ravendb failed" >&2; exit 3; }
fi
[ $# -eq 0 ] || node node-worker.mjs "$@"
