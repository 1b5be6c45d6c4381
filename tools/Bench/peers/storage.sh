#!/usr/bin/env bash
# Installs LMDB, which the suite "storage" measures beside ours (needs root). The other stores come as packages; that of LMDB
# needs a newer C library than Debian 12 has.
set -euo pipefail
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq liblmdb0
