# One word for what people and CI do: each verb is a line over `dotnet`. `build.sh` has the same verbs.
param(
    [string] $Verb = "help",
    [Parameter(ValueFromRemainingArguments = $true)]
    [string[]] $Rest = @()
)

$ErrorActionPreference = "Stop"
Set-Location $PSScriptRoot
switch ($Verb) {
    "build"  { dotnet build Raven.sln -c Release --nologo @Rest }
    "test"   { dotnet test tests/FastTests -c Debug --nologo --logger "trx;LogFileName=fast.trx" --results-directory artifacts/tests @Rest }
    "ci"     { dotnet test tests/SlowTests -c Release --nologo --filter "Run=ci" --logger "trx;LogFileName=ci.trx" --results-directory artifacts/tests @Rest }
    "slow"   { dotnet run -c Release --project tools/SlowestTests "--" shards @Rest }
    "coverage" { dotnet run -c Release --project tools/SlowestTests "--" coverage @Rest }
    "bench"  { dotnet run -c Release --project tools/Bench "--" @Rest }
    "format" { dotnet format Raven.sln --no-restore @Rest }
    "tidy"   { dotnet test tests/FastTests -c Debug --nologo --filter "FullyQualifiedName~FastTests.Architecture" @Rest }
    "run"    { dotnet run -c Release --project src/Server "--" @Rest }
    default  { Write-Output "usage: ./build.ps1 build|test|ci|slow|coverage|bench|format|tidy|run [arguments passed on]" }
}
exit $LASTEXITCODE
