#!/usr/bin/env bash
# One word for what people and CI do: each verb is a line over `dotnet`. `build.ps1` has the same verbs.
set -euo pipefail
cd "$(dirname "$0")"
verb="${1:-help}"
shift || true
case "$verb" in
    build)  dotnet build Raven.sln -c Release --nologo "$@" ;;
    test)   dotnet test tests/FastTests -c Debug --nologo --logger "trx;LogFileName=fast.trx" --results-directory artifacts/tests "$@" ;;
    ci)     dotnet test tests/SlowTests -c Release --nologo --filter "Run=ci" --logger "trx;LogFileName=ci.trx" --results-directory artifacts/tests "$@" ;;
    slow)   dotnet run -c Release --project tools/SlowestTests -- shards "$@" ;;
    coverage) dotnet run -c Release --project tools/SlowestTests -- coverage "$@" ;;
    bench)  dotnet run -c Release --project tools/Bench -- "$@" ;;
    format) dotnet format Raven.sln --no-restore "$@" ;;
    tidy)   dotnet test tests/FastTests -c Debug --nologo --filter "FullyQualifiedName~FastTests.Architecture" "$@" ;;
    run)    dotnet run -c Release --project src/Server -- "$@" ;;
    *)
        echo "usage: ./build.sh <verb> [arguments passed on]"
        echo "  build   everything, in Release          test    the fast tests (about a minute)"
        echo "  run     the server                      ci      what CI runs besides the fast tests"
        echo "  bench   a suite: ./build.sh bench http  slow    all slow tests, in shards of at most 10 minutes"
        echo "  format  dotnet format                   tidy    the architecture tests alone"
        echo "  coverage   of the storage by the tests that prove it (T1 to T7)"
        [ "$verb" = help ] || exit 2 ;;
esac
