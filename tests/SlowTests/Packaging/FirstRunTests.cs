using System.Diagnostics;
using SlowTests.Support;

namespace SlowTests.Packaging;

/// <summary>The first command of the README: what it prints while it builds.</summary>
public sealed class FirstRunTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-first-run-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Fault", "B2")]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "packaging")]
    public async Task The_first_run_says_what_it_does_and_prints_a_line_every_five_seconds_until_the_server_is_there()
    {
        // A compiler that takes twelve seconds, and a server that only says that it is there.
        string compiler = Path.Combine(_folder, "dotnet");
        await File.WriteAllTextAsync(
            compiler,
            "#!/bin/sh\n[ \"$1\" = build ] && { sleep 12; exit 0; }\n"
            + "echo 'Server available on: http://127.0.0.1:8080'\n");
        using (Process allow = Process.Start("chmod", ["+x", compiler])!)
        {
            await allow.WaitForExitAsync();
        }

        var start = new ProcessStartInfo("bash", ["-c", "./build.sh run 2>&1"])
        {
            WorkingDirectory = NodeProgram.Root,
            RedirectStandardOutput = true,
        };
        start.Environment["PATH"] = $"{_folder}:{Environment.GetEnvironmentVariable("PATH")}";
        using Process process = Process.Start(start)!;
        string[] lines = (await process.StandardOutput.ReadToEndAsync()).TrimEnd().Split('\n');
        await process.WaitForExitAsync();
        Assert.Equal(0, process.ExitCode);
        Assert.Matches("^Restoring packages and building the server. .* minutes", lines[0]);
        Assert.InRange(lines.Count(line => line.StartsWith("  still building: ", StringComparison.Ordinal)), 1, 2);
        Assert.Equal("Server available on: http://127.0.0.1:8080", lines[^1]);
    }
}
