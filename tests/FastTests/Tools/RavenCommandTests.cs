using System.Text.Json.Nodes;
using FastTests.Architecture;
using Raven.CommandLine;
using Raven.CommandLine.Output;

namespace FastTests.Tools;

/// <summary>The command line of raven: which verb it is, how verbs end, and what they print as JSON.</summary>
public sealed class RavenCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-command-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("", true, "")]
    [InlineData("server", true, "")]
    [InlineData("server --help", true, "--help")]
    [InlineData("server --DataDir=a --print-config", true, "--DataDir=a --print-config")]
    [InlineData("--ServerUrl=http://127.0.0.1:0", true, "--ServerUrl=http://127.0.0.1:0")]
    [InlineData("--setup dev-cert", true, "--setup dev-cert")]
    [InlineData("--version", true, "--version")]
    [InlineData("--help", false, "--help")]
    [InlineData("import server", false, "import server")]
    [InlineData("serve", false, "serve")]
    public void Without_a_verb_raven_is_the_server_and_its_options_go_through(
        string line, bool isServer, string options)
    {
        Assert.Equal(isServer, ServerVerb.IsIn(Words(line), out string[] given));
        Assert.Equal(Words(options), given);
    }

    [Theory]
    [InlineData("serve", "serve")]
    [InlineData("import a.json", "--database")]
    [InlineData("import --database shop", "import")]
    [InlineData("verify", "verify")]
    [InlineData("recover folder", "--give-up-what-follows")]
    [InlineData("inspect page folder two", "two")]
    [InlineData("import a.csv --database shop --separator ;;", "one ASCII character")]
    public async Task A_wrong_command_line_ends_with_2_and_says_what_is_wrong(string line, string says)
    {
        (int code, string output, string error) = await RunAsync(Words(line));
        Assert.Equal(ExitCode.WrongUsage, code);
        Assert.Equal("", output);
        Assert.Contains(says, error, StringComparison.Ordinal);
        Assert.Contains("--help", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Each_verb_is_in_the_help_and_in_the_page_of_the_program()
    {
        (int code, string help, _) = await RunAsync("--help");
        Assert.Equal(0, code);
        string page = await File.ReadAllTextAsync(Path.Combine(SourceTree.Root, "docs", "cli.md"));
        Assert.All(RavenCommand.Verbs, verb =>
        {
            Assert.Contains(verb.Split(' ')[0], help, StringComparison.Ordinal);
            Assert.Contains($"`raven {verb}", page, StringComparison.Ordinal);
        });
        Assert.Contains("inspect journal", RavenCommand.Verbs);
    }

    [Fact]
    public async Task Each_verb_that_ends_can_print_JSON_and_says_what_it_does()
    {
        // The server and its set-up start before anything is parsed; the shell and a cluster go on until they are left.
        foreach (string verb in RavenCommand.Verbs.Except(["server", "setup", "shell", "cluster up"]))
        {
            (int code, string help, _) = await RunAsync([.. verb.Split(' '), "--help"]);
            Assert.Equal(0, code);
            Assert.True(help.Contains("--json", StringComparison.Ordinal), $"{verb} has no --json.");
        }
    }

    [Fact]
    public async Task A_verb_prints_one_JSON_object_if_it_is_asked_to()
    {
        string missing = Path.Combine(_folder, "no");
        (int code, string output, _) = await RunAsync("verify", missing, "--json");
        Assert.Equal(ExitCode.WrongUsage, code);
        JsonNode json = JsonNode.Parse(output)!;
        Assert.Equal(ExitCode.WrongUsage, (int)json["ExitCode"]!);
        Assert.Equal($"There is no folder {missing}.", (string?)Assert.Single(json["Messages"]!.AsArray()));

        string file = Path.Combine(_folder, "a.json");
        await File.WriteAllTextAsync(file, """{"N":1}""");
        (code, output, _) = await RunAsync("inspect", "blittable", file, "--json");
        Assert.Equal(0, code);
        json = JsonNode.Parse(output)!;
        Assert.True((int)json["SizeBytes"]! > 0);
        Assert.True(json["Messages"]!.AsArray().Count > 2);
    }

    private static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    private static async Task<(int Code, string Output, string Error)> RunAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        int code = await RavenCommand.RunAsync(arguments, output, error);
        return (code, output.ToString(), error.ToString());
    }
}
