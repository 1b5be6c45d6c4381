# One word for what people and CI do: each verb is a line over `dotnet`. `build.sh` has the same verbs.
# There is no param block: with one, an argument for dotnet such as `-v` would be read as a short form of a parameter.
$ErrorActionPreference = "Stop"
Set-Location $PSScriptRoot
$given = @()
if ($MyInvocation.Line) {
    # Typed at a prompt, `-p:Version=1.0` comes cut in two after its colon: here the halves are one argument again.
    foreach ($argument in $args) {
        if ($given.Count -gt 0 -and $given[-1] -match "^-[A-Za-z]+:$") {
            $given[-1] += $argument
        } else {
            $given += "$argument"
        }
    }
} else {
    # `pwsh build.ps1` cuts every argument at its first colon, urls too, and loses the colon: these are as they were given.
    $isAfter = $false
    foreach ($argument in [Environment]::GetCommandLineArgs()) {
        if ($isAfter) {
            $given += $argument
        }
        $isAfter = $isAfter -or (Split-Path -Leaf $argument) -eq "build.ps1"
    }
}
$verb, $rest = $given
if ($null -eq $verb) {
    $verb = "help"
}

# The server, with a word at once and every few seconds until it is built, as build.sh has it.
function Start-Server([string[]] $Arguments) {
    [Console]::Error.WriteLine("Restoring packages and building the server. The first time takes 1 to 5 minutes, later ones seconds.")
    New-Item -ItemType Directory -Force artifacts | Out-Null
    $log = "artifacts/run-build.log"
    $clock = [System.Diagnostics.Stopwatch]::StartNew()
    $build = Start-Process dotnet -ArgumentList @("build", "src/CommandLine", "-c", "Release", "--nologo") -PassThru -NoNewWindow -RedirectStandardOutput $log
    # Without its handle the exit code of a process is not known once it has ended.
    $null = $build.Handle
    while (-not $build.WaitForExit(5000)) {
        $done = @(Select-String -Path $log -Pattern " -> " -SimpleMatch).Count
        [Console]::Error.WriteLine("  still building: $([int] $clock.Elapsed.TotalSeconds) s, $done projects done")
    }
    if ($build.ExitCode -ne 0) {
        Get-Content $log | ForEach-Object { [Console]::Error.WriteLine($_) }
        [Console]::Error.WriteLine("The build failed; its output is above and in $log.")
        exit 1
    }
    [Console]::Error.WriteLine("Built in $([int] $clock.Elapsed.TotalSeconds) s. Starting the server; Ctrl+C ends it.")
    dotnet run -c Release --no-build --project src/CommandLine "--" @Arguments
}

# All packages of src/ with one version into one folder, which is a feed of NuGet.
function New-Packages([string[]] $Arguments) {
    $folder = if ($env:PACKAGES) { $env:PACKAGES } else { "artifacts/packages" }
    $feed = (New-Item -ItemType Directory -Force $folder).FullName
    Remove-Item "$feed/Raven.*.nupkg", "$feed/Raven.*.snupkg" -ErrorAction SilentlyContinue
    foreach ($project in Get-ChildItem src/*/*.csproj) {
        if (Select-String -Path $project.FullName -Pattern "<IsPackable>false" -Quiet) {
            continue
        }
        dotnet pack $project.FullName -c Release --nologo -v quiet -o $feed @Arguments
        if ($LASTEXITCODE -ne 0) {
            exit $LASTEXITCODE
        }
    }
    Write-Output "$feed is a feed now (docs/client.md says how to use it) with"
    Get-ChildItem "$feed/*.nupkg" | ForEach-Object { Write-Output "  $($_.Name)" }
}

switch ($verb) {
    "build"  { dotnet build Raven.sln -c Release --nologo @rest }
    "test"   { dotnet test tests/FastTests -c Debug --nologo --logger "trx;LogFileName=fast.trx" --results-directory artifacts/tests @rest }
    "ci"     { dotnet format whitespace . --folder --exclude artifacts/ --verify-no-changes
               if ($LASTEXITCODE -eq 0) {
                   dotnet test tests/SlowTests -c Release --nologo --filter "Run=ci" --logger "trx;LogFileName=ci.trx" --results-directory artifacts/tests @rest
               } }
    "slow"   { dotnet run -c Release --project tools/SlowestTests "--" shards @rest }
    "coverage" { dotnet run -c Release --project tools/SlowestTests "--" coverage @rest }
    "bench"  { dotnet run -c Release --project tools/Bench "--" @rest }
    "format" { dotnet format Raven.sln --no-restore @rest }
    "tidy"   { dotnet test tests/FastTests -c Debug --nologo --filter "FullyQualifiedName~FastTests.Architecture" @rest }
    "run"    { Start-Server $rest }
    "pack"   { New-Packages $rest }
    "studio" { npm --prefix src/Studio ci; if ($LASTEXITCODE -eq 0) { npm --prefix src/Studio run build } }
    default  {
        Write-Output "usage: ./build.ps1 <verb> [arguments passed on]"
        Write-Output "  build   everything, in Release          test    the fast tests (about a minute)"
        Write-Output "  run     the server                      ci      what CI runs besides the fast tests"
        Write-Output "  bench   a suite: ./build.ps1 bench http slow    all slow tests, in shards of at most 10 minutes"
        Write-Output "  format  dotnet format                   tidy    the architecture tests alone"
        Write-Output "  studio  the built files of src/Studio, which takes Node"
        Write-Output "  pack    all packages, into the folder feed artifacts/packages"
        Write-Output "  coverage   of the storage by the tests that prove it"
        exit $(if ($verb -eq "help") { 0 } else { 2 })
    }
}
exit $LASTEXITCODE
