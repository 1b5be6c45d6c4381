using System.Diagnostics;
using SlowTests.Support;

namespace SlowTests.Portability;

/// <summary>
/// Vectorized code has a path for machines without the instructions. The fast tests of the rooms with such code run
/// once more with the instructions taken away.
/// </summary>
public sealed class ScalarPathTests
{
    private const string Rooms =
        "FullyQualifiedName~FastTests.Blittable|FullyQualifiedName~FastTests.Checksums"
        + "|FullyQualifiedName~FastTests.Compression|FullyQualifiedName~FastTests.Text"
        + "|FullyQualifiedName~FastTests.Search.VectorTests";

    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    [Theory]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "blittable")]
    [InlineData("DOTNET_EnableAVX2")]
    [InlineData("DOTNET_EnableHWIntrinsic")]
    public async Task The_fast_tests_pass_without_vector_instructions(string instructions)
    {
        ProcessStartInfo start = new(
            "dotnet", ["test", "tests/FastTests", "-c", "Debug", "--nologo", "--filter", Rooms])
        {
            WorkingDirectory = NodeProgram.Root,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment[instructions] = "0";
        using Process tests = Process.Start(start)!;
        Task<string> errors = tests.StandardError.ReadToEndAsync();
        Task<string> output = tests.StandardOutput.ReadToEndAsync();
        using CancellationTokenSource limit = new(Limit);
        using CancellationTokenRegistration kill = limit.Token.Register(() => tests.Kill(entireProcessTree: true));
        string printed = await output + await errors;
        await tests.WaitForExitAsync(CancellationToken.None);
        Assert.True(tests.ExitCode == 0, printed);
        Assert.Contains("Passed!", printed, StringComparison.Ordinal);
    }
}
