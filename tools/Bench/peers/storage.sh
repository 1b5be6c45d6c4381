#!/usr/bin/env bash
# Installs the embedded stores that the suite "storage" measures beside ours.
set -euo pipefail
apt-get install -y -q liblmdb0 librocksdb7.8 libsqlite3-0
