using System.Diagnostics;
using System.Text.RegularExpressions;
using SlowTests.Support;

namespace SlowTests.Http;

/// <summary>
/// What <c>docs/http</c> shows is what happens: each page's commands run, in order, against a fresh server.
/// </summary>
public sealed partial class HttpExamplesTests
{
    private const string WrittenUrl = "http://127.0.0.1:8080";

    /// <summary>The pages.</summary>
    public static TheoryData<string> Pages() =>
        [.. Directory.EnumerateFiles(Folder, "*.md").Select(path => Path.GetFileName(path)).Where(
            name => name != "README.md").Order(StringComparer.Ordinal)];

    private static string Folder => Path.Combine(NodeProgram.Root, "docs", "http");

    [Theory]
    [MemberData(nameof(Pages))]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "server")]
    public void Every_curl_command_of_a_page_succeeds(string page)
    {
        using ServerProcess server = ServerProcess.Start();
        string text = File.ReadAllText(Path.Combine(Folder, page));
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
