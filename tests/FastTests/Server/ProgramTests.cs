using System.Diagnostics;
using System.Net;
using System.Text.RegularExpressions;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>The server as a process of its own, as a person or a service manager runs it.</summary>
public sealed partial class ProgramTests
{
    [Fact]
    public async Task The_server_process_prints_its_URL_and_ends_with_0_on_SIGTERM()
    {
        string folder = Directory.CreateTempSubdirectory("raven-program").FullName;
        try
        {
            using Process server = Start("--ServerUrl=http://127.0.0.1:0", $"--DataDir={folder}");
            string line = (await server.StandardOutput.ReadLineAsync())!;
            Match addresses = AvailableLine().Match(line);
            Assert.True(addresses.Success, line);
            using var client = new HttpClient { BaseAddress = new Uri(addresses.Groups["url"].Value) };
            using HttpResponseMessage answer = await client.GetAsync("/build/version");
            Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
            using HttpResponseMessage studio = await client.GetAsync(addresses.Groups["studio"].Value);
            Assert.Equal("text/html", studio.Content.Headers.ContentType?.MediaType);

            using Process second = Start("--ServerUrl=http://127.0.0.1:0", $"--DataDir={folder}");
            string refusal = await second.StandardError.ReadToEndAsync();
            await second.WaitForExitAsync();
            Assert.Equal(1, second.ExitCode);
            Assert.Contains("in use", refusal, StringComparison.Ordinal);

            using Process signal = Process.Start("kill", ["-TERM", $"{server.Id}"]);
            await signal.WaitForExitAsync();
            await server.WaitForExitAsync().WaitAsync(Deadline.Hang);
            Assert.Equal(0, server.ExitCode);
            Assert.Equal("", await server.StandardOutput.ReadToEndAsync());
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Theory]
    [InlineData(0, "usage:", "--help")]
    [InlineData(0, "Raven ", "--version")]
    [InlineData(0, "Limits.BatchCommandsMax=5", "--print-config", "--Limits.BatchCommandsMax=5")]
    [InlineData(2, "Did you mean ServerUrl?", "--SeverUrl=x")]
    [InlineData(2, "can be reached from other machines", "--ServerUrl=http://0.0.0.0:0")]
    [InlineData(2, "--setup dev-cert", "--Security.UnsecuredAccessAllowed=None")]
    [InlineData(2, "neither dev-cert nor add-admin", "--setup", "nonsense")]
    public async Task The_server_process_prints_help_or_an_option_error_and_ends_with_its_exit_code(
        int exitCode, string says, params string[] args)
    {
        using Process process = Start(args);
        string output = await process.StandardOutput.ReadToEndAsync() + await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.Equal(exitCode, process.ExitCode);
        Assert.Contains(says, output, StringComparison.Ordinal);
    }

    private static Process Start(params string[] args)
    {
        string program = typeof(Raven.Server.Program).Assembly.Location;
        var start = new ProcessStartInfo("dotnet", [program, .. args])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        return Process.Start(start)!;
    }

    [GeneratedRegex(@"^Server available on: (?<url>http://127\.0\.0\.1:\d+) \(Studio: (?<studio>\k<url>/studio/)\)$")]
    private static partial Regex AvailableLine();
}
