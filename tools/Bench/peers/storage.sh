#!/usr/bin/env bash
# Installs the embedded stores that the suite "storage" measures beside ours (needs root).
set -euo pipefail
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq liblmdb0 librocksdb7.8 libsqlite3-0
