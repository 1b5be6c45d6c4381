using System.Diagnostics;
using Raven.Server;
using SlowTests.Support;

namespace SlowTests.Client;

/// <summary>A program that is published without what it does not use still works with the client.</summary>
[Trait(Category.Shard, "client")]
public sealed class TrimmedTests
{
    /// <summary>A warning of the trimmer ends the first command: they are errors in all projects.</summary>
    [Fact]
    public async Task A_trimmed_program_is_published_without_warnings_and_works()
    {
        string folder = Directory.CreateTempSubdirectory("raven-trimmed-").FullName;
        try
        {
            await RunAsync(
                "dotnet", "publish", Path.Combine(NodeProgram.Root, "samples", "Trimmed"), "-c", "Release", "--nologo",
                "--use-current-runtime", "--self-contained", "--artifacts-path", Path.Combine(folder, "artifacts"),
                "-o", Path.Combine(folder, "app"));
            using ServerHost server = EmbeddedServer.StartInMemory();
            Assert.Equal(
                [
                    "Stored customers/1-A.",
                    "Loaded Vins et alcools of Reims: wine.",
                    "Found Vins et alcools: 1 in France, 1 in the index.",
                    "Deleted it: 1 document is left, which counts ids, and an index with 1 map.",
                ],
                await RunAsync(Path.Combine(folder, "app", "Trimmed"), server.Url));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>The lines of the output of a program that succeeds.</summary>
    private static async Task<string[]> RunAsync(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"{output}\n{await errors}");
        return output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
    }
}
