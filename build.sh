#!/usr/bin/env bash
# One word for what people and CI do: each verb is a line over `dotnet`. `build.ps1` has the same verbs.
set -euo pipefail
cd "$(dirname "$0")"
verb="${1:-help}"
shift || true

# The server, with a word at once and every few seconds until it is built: restoring and compiling take minutes on a
# fresh machine. What it says goes to standard error, so that standard output begins with the address. The build is told
# of Ctrl+C by the trap, as a shell keeps that signal from what runs in its background.
run() {
    echo "Restoring packages and building the server. The first time takes 1 to 5 minutes, later ones seconds." >&2
    local log build second=0
    mkdir -p artifacts
    log="artifacts/run-build.log"
    dotnet build src/CommandLine -c Release --nologo >"$log" 2>&1 &
    build=$!
    trap 'kill "$build" 2>/dev/null; exit 130' INT TERM
    while kill -0 "$build" 2>/dev/null; do
        sleep 1
        second=$((second + 1))
        if [ $((second % 5)) -eq 0 ] && kill -0 "$build" 2>/dev/null; then
            echo "  still building: $second s, $(grep -c -- ' -> ' "$log" || true) projects done" >&2
        fi
    done
    trap - INT TERM
    if ! wait "$build"; then
        cat "$log" >&2
        echo "The build failed; its output is above and in $log." >&2
        exit 1
    fi
    echo "Built in $second s. Starting the server; Ctrl+C ends it." >&2
    exec dotnet run -c Release --no-build --project src/CommandLine -- "$@"
}

# All packages of src/ with one version into one folder, which is a feed of NuGet.
pack() {
    local folder="${PACKAGES:-artifacts/packages}"
    mkdir -p "$folder"
    rm -f "$folder"/Raven.*.nupkg "$folder"/Raven.*.snupkg
    for project in src/*/*.csproj; do
        grep -q "<IsPackable>false" "$project" && continue
        dotnet pack "$project" -c Release --nologo -v quiet -o "$folder" "$@"
    done
    echo "$(cd "$folder" && pwd) is a feed now (docs/client.md says how to use it) with"
    for package in "$folder"/*.nupkg; do
        echo "  $(basename "$package")"
    done
}

case "$verb" in
    build)  dotnet build Raven.sln -c Release --nologo "$@" ;;
    test)   dotnet test tests/FastTests -c Debug --nologo --logger "trx;LogFileName=fast.trx" --results-directory artifacts/tests "$@" ;;
    ci)     dotnet format whitespace . --folder --exclude artifacts/ --verify-no-changes
            dotnet test tests/SlowTests -c Release --nologo --filter "Run=ci" --logger "trx;LogFileName=ci.trx" --results-directory artifacts/tests "$@" ;;
    slow)   dotnet run -c Release --project tools/SlowestTests -- shards "$@" ;;
    coverage) dotnet run -c Release --project tools/SlowestTests -- coverage "$@" ;;
    bench)  dotnet run -c Release --project tools/Bench -- "$@" ;;
    format) dotnet format Raven.sln --no-restore "$@" ;;
    tidy)   dotnet test tests/FastTests -c Debug --nologo --filter "FullyQualifiedName~FastTests.Architecture" "$@" ;;
    run)    run "$@" ;;
    pack)   pack "$@" ;;
    studio) npm --prefix src/Studio ci && npm --prefix src/Studio run build ;;
    *)
        echo "usage: ./build.sh <verb> [arguments passed on]"
        echo "  build   everything, in Release          test    the fast tests (about a minute)"
        echo "  run     the server                      ci      what CI runs besides the fast tests"
        echo "  bench   a suite: ./build.sh bench http  slow    all slow tests, in shards of at most 10 minutes"
        echo "  format  dotnet format                   tidy    the architecture tests alone"
        echo "  pack    all packages, into the folder feed artifacts/packages"
        echo "  studio  the built files of src/Studio, which takes Node"
        echo "  coverage   of the storage by the tests that prove it"
        [ "$verb" = help ] || exit 2 ;;
esac
