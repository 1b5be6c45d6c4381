using System.Diagnostics;
using System.Text.RegularExpressions;

namespace SlowTests.Support;

/// <summary>Runs what a page shows: its curl commands, in order, against a fresh server.</summary>
internal static partial class CurlCommands
{
    private const string WrittenUrl = "http://127.0.0.1:8080";

    /// <summary>Fails if there is no command in the text, or one does not succeed.</summary>
    internal static void RequireAllSucceed(string text)
    {
        using ServerProcess server = ServerProcess.Start(null, "--Indexing.CSharp=All");
        string[] commands = [.. Block().Matches(text)
            .SelectMany(block => Command().Matches(block.Groups["code"].Value).Select(match => match.Value))];
        Assert.NotEmpty(commands);
        foreach (string command in commands)
        {
            (int code, string output) = Bash(command.Replace(WrittenUrl, server.Url, StringComparison.Ordinal)
                .Replace("curl ", "curl --silent --show-error --fail-with-body ", StringComparison.Ordinal));
            Assert.True(code == 0, $"{command}{Environment.NewLine}{output}");
        }
    }

    private static (int Code, string Output) Bash(string command)
    {
        using Process bash = Process.Start(new ProcessStartInfo("bash", ["-c", command])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> errors = bash.StandardError.ReadToEndAsync();
        string output = bash.StandardOutput.ReadToEnd();
        Assert.True(bash.WaitForExit(TimeSpan.FromSeconds(30)), command);
        return (bash.ExitCode, output + errors.Result);
    }

    [GeneratedRegex("^```sh\n(?<code>.*?)^```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Block();

    /// <summary>From "curl" at the start of a line to the next blank line, comment or end.</summary>
    [GeneratedRegex(@"^curl .*?(?=^\s*$|^#|\z)", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Command();
}
