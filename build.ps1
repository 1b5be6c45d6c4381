# One word for what people and CI do: each verb is a line over `dotnet`. `build.sh` has the same verbs.
param(
    [string] $Verb = "help",
    [Parameter(ValueFromRemainingArguments = $true)]
    [string[]] $Rest = @()
)

$ErrorActionPreference = "Stop"
Set-Location $PSScriptRoot

# The server, with a word at once and every few seconds until it is built, as build.sh has it.
function Start-Server([string[]] $Arguments) {
    [Console]::Error.WriteLine("Restoring packages and building the server. The first time takes 1 to 5 minutes, later ones seconds.")
    New-Item -ItemType Directory -Force artifacts | Out-Null
    $log = "artifacts/run-build.log"
    $clock = [System.Diagnostics.Stopwatch]::StartNew()
    $build = Start-Process dotnet -ArgumentList @("build", "src/Server", "-c", "Release", "--nologo") -PassThru -NoNewWindow -RedirectStandardOutput $log
    # Without its handle the exit code of a process is not known once it has ended.
    $null = $build.Handle
    while (-not $build.WaitForExit(5000)) {
        [Console]::Error.WriteLine("  still building: $([int] $clock.Elapsed.TotalSeconds) s")
    }
    if ($build.ExitCode -ne 0) {
        Get-Content $log
        [Console]::Error.WriteLine("The build failed; its output is above and in $log.")
        exit 1
    }
    [Console]::Error.WriteLine("Built in $([int] $clock.Elapsed.TotalSeconds) s. Starting the server; Ctrl+C ends it.")
    dotnet run -c Release --no-build --project src/Server "--" @Arguments
}

# All packages of src/ with one version into one folder, which is a feed of NuGet.
function New-Packages([string[]] $Arguments) {
    $feed = Join-Path $PSScriptRoot "artifacts/packages"
    New-Item -ItemType Directory -Force $feed | Out-Null
    Remove-Item "$feed/Raven.*.nupkg", "$feed/Raven.*.snupkg" -ErrorAction SilentlyContinue
    foreach ($project in Get-ChildItem src/*/*.csproj) {
        dotnet pack $project.FullName -c Release --nologo -v quiet -o $feed @Arguments
        if ($LASTEXITCODE -ne 0) {
            exit $LASTEXITCODE
        }
    }
    Write-Output "$feed is a feed now (docs/client.md says how to use it) with"
    Get-ChildItem "$feed/*.nupkg" | ForEach-Object { Write-Output "  $($_.Name)" }
}

switch ($Verb) {
    "build"  { dotnet build Raven.sln -c Release --nologo @Rest }
    "test"   { dotnet test tests/FastTests -c Debug --nologo --logger "trx;LogFileName=fast.trx" --results-directory artifacts/tests @Rest }
    "ci"     { dotnet test tests/SlowTests -c Release --nologo --filter "Run=ci" --logger "trx;LogFileName=ci.trx" --results-directory artifacts/tests @Rest }
    "slow"   { dotnet run -c Release --project tools/SlowestTests "--" shards @Rest }
    "coverage" { dotnet run -c Release --project tools/SlowestTests "--" coverage @Rest }
    "bench"  { dotnet run -c Release --project tools/Bench "--" @Rest }
    "format" { dotnet format Raven.sln --no-restore @Rest }
    "tidy"   { dotnet test tests/FastTests -c Debug --nologo --filter "FullyQualifiedName~FastTests.Architecture" @Rest }
    "run"    { Start-Server $Rest }
    "pack"   { New-Packages $Rest }
    default  { Write-Output "usage: ./build.ps1 build|test|ci|slow|coverage|bench|format|tidy|run|pack [arguments passed on]" }
}
exit $LASTEXITCODE
