using System.Diagnostics;
using System.Text.RegularExpressions;
using SlowTests.Support;

namespace SlowTests.Readme;

/// <summary>What the README shows is what happens: its curl commands run, in order, against the real server.</summary>
public sealed partial class ReadmeTests
{
    private const string WrittenUrl = "http://127.0.0.1:8080";

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "server")]
    public void Every_curl_command_of_the_README_succeeds()
    {
        using ServerProcess server = ServerProcess.Start();
        string readme = File.ReadAllText(Path.Combine(NodeProgram.Root, "README.md"));
        string[] commands = [.. Block().Matches(readme).Select(match => match.Groups["code"].Value)
            .Where(code => code.Contains("curl ", StringComparison.Ordinal))
            .SelectMany(code => Command().Matches(code).Select(match => match.Value))];
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
