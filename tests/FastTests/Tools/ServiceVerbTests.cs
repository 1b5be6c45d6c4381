using System.CommandLine;
using Raven.CommandLine;
using Raven.CommandLine.Output;
using Raven.CommandLine.Service;
using Raven.Server.Options;

namespace FastTests.Tools;

/// <summary>The server as a service of Windows, as far as it can be seen without one: what is asked of the system, and
/// what is refused before that.</summary>
public sealed class ServiceVerbTests : IDisposable
{
    private const string Program = @"C:\Program Files\Raven\raven.exe";

    private readonly string _folder = Directory.CreateTempSubdirectory("raven service ").FullName;
    private readonly FakeServices _services = new();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("install")]
    [InlineData("uninstall")]
    [InlineData("start")]
    [InlineData("stop")]
    [InlineData("run")]
    public async Task Elsewhere_each_verb_is_refused_and_says_what_there_is_instead(string verb)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It would do what it is asked to.");
        using var output = new StringWriter();
        using var error = new StringWriter();
        Assert.Equal(ExitCode.WrongUsage, await RavenCommand.RunAsync(["service", verb], output, error));
        Assert.Equal("", output.ToString());
        Assert.Contains("systemd", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Installing_makes_a_service_of_its_own_account_that_is_started_again_and_has_its_folders()
    {
        string data = Path.Combine(_folder, "data");
        string keys = Path.Combine(_folder, "keys");
        _services.Others[keys] = "something";
        Install($"--DataDir={data}", $"--Security.KeysFolder={keys}", "--Logs.Level=Warning");
        string line = $@"""{Program}"" service run --name raven --folder ""{_folder}"" ""--DataDir={data}"" "
            + $@"""--Security.KeysFolder={keys}"" --Logs.Level=Warning";
        Assert.Equal(
            [
                $@"sc.exe create raven binPath= {line} start= auto obj= NT SERVICE\raven DisplayName= Raven",
                "sc.exe description raven The document database Raven. A stop lets running requests end "
                    + "(Shutdown.DrainSecondsMax).",
                "sc.exe failure raven reset= 86400 actions= restart/5000/restart/30000/restart/60000",
                "sc.exe failureflag raven 1",
                "event source raven: True",
                $@"icacls.exe {data} /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F "
                    + @"NT SERVICE\raven:(OI)(CI)F",
                $@"icacls.exe {keys} /grant NT SERVICE\raven:(OI)(CI)F",
            ],
            _services.Asked);
        Assert.Equal(
            [Program, "service", "run", "--name", "raven", "--folder", _folder, $"--DataDir={data}",
                $"--Security.KeysFolder={keys}", "--Logs.Level=Warning"],
            Apart(line));
    }

    [Fact]
    public void What_a_step_that_failed_leaves_is_taken_back()
    {
        _services.Fails = "failure";
        Assert.Throws<ServiceException>(() => Install());
        Assert.Equal("sc.exe delete raven", _services.Asked[^1]);
    }

    [Theory]
    [InlineData("a word", "a word", null)]
    [InlineData("raven&calc", "raven&calc", null)]
    [InlineData("", "no name", null)]
    [InlineData("raven", "has a password", @"DOMAIN\ann")]
    public void A_name_or_an_account_that_cannot_be_is_refused_before_anything_is_done(
        string name, string says, string? account)
    {
        string[] more = account is null ? [] : ["--account", account];
        FormatException refused = Assert.Throws<FormatException>(() => Install(["--name", name, .. more]));
        Assert.Contains(says, refused.Message, StringComparison.Ordinal);
        Assert.Empty(_services.Asked);
    }

    [Theory]
    [InlineData("--DataDri=x", "DataDir")]
    [InlineData("--Security.Certificate.Password=secret", "settings.json")]
    [InlineData("--ServerUrl=http://0.0.0.0:8080", "UnsecuredAccessAllowed")]
    [InlineData("word", "--Key=Value")]
    public void Options_with_which_no_server_starts_or_that_tell_a_secret_are_refused(string option, string says)
    {
        ServerOptionException refused = Assert.Throws<ServerOptionException>(() => Install(option));
        Assert.Contains(says, refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", refused.Message, StringComparison.Ordinal);
        Assert.Empty(_services.Asked);
    }

    [Fact]
    public void A_program_that_something_else_has_started_is_no_service()
    {
        Assert.Contains(
            "dotnet.exe", Assert.Throws<ServiceException>(() => new ServiceSteps(_services).Install(
                Entry([]) with { Program = @"C:\dotnet\dotnet.exe" })).Message,
            StringComparison.Ordinal);
        Assert.Empty(_services.Asked);
    }

    [Fact]
    public void A_service_is_made_once_and_one_of_another_program_is_not_touched()
    {
        Install();
        Assert.Throws<ServiceException>(() => Install());
        var steps = new ServiceSteps(_services);
        _services.Lines["Spooler"] = @"C:\Windows\System32\spoolsv.exe";
        _services.Asked.Clear();
        foreach (Action<string> step in new Action<string>[] { steps.Uninstall, steps.Start, steps.Stop })
        {
            Assert.Contains(
                "spoolsv", Assert.Throws<ServiceException>(() => step("Spooler")).Message, StringComparison.Ordinal);
            Assert.Contains(
                "no service none", Assert.Throws<ServiceException>(() => step("none")).Message,
                StringComparison.Ordinal);
        }

        Assert.Empty(_services.Asked);
        steps.Start("raven");
        steps.Stop("raven");
        steps.Uninstall("raven");
        Assert.Equal(
            ["start raven", "stop raven", "stop raven", "sc.exe delete raven", "event source raven: False"],
            _services.Asked);
    }

    [Fact]
    public void Any_words_are_the_same_when_Windows_has_taken_the_line_apart()
    {
        var random = new Random(32);
        for (int i = 0; i < 2_000; i++)
        {
            string[] words = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => new string(
                [.. Enumerable.Range(0, random.Next(6)).Select(_ => "a\\\" \t"[random.Next(5)])]))];

            // The first word is the program, of which no mark of quotation is part.
            words = ["p q", .. words];
            Assert.Equal(words, Apart(WindowsQuoting.Join(words)));
        }
    }

    private void Install(params string[] words) => new ServiceSteps(_services).Install(Entry(words));

    private ServiceEntry Entry(string[] words)
    {
        ParseResult parsed = new RootCommand { ServiceVerbs.Create() }.Parse(["service", "install", .. words]);
        Assert.Empty(parsed.Errors);
        return ServiceVerbs.EntryOf(parsed, Program, _folder);
    }

    /// <summary>How programs of Windows read their command lines: 2n backslashes before a mark are n, and the mark
    /// begins or ends a part; 2n + 1 are n, and the mark is itself.</summary>
    private static List<string> Apart(string line)
    {
        List<string> words = [];
        string? word = null;
        bool isQuoted = false;
        for (int i = 0; i < line.Length; i++)
        {
            int slashes = line[i..].TakeWhile(c => c == '\\').Count();
            i += slashes;
            bool isMark = i < line.Length && line[i] == '"';
            if (slashes > 0)
            {
                word += new string('\\', isMark ? slashes / 2 : slashes);
            }

            if (isMark && slashes % 2 == 0)
            {
                isQuoted = !isQuoted;
                word ??= "";
            }
            else if (i < line.Length && !isQuoted && line[i] is ' ' or '\t')
            {
                words.AddRange(word is null ? [] : [word]);
                word = null;
            }
            else if (i < line.Length)
            {
                word += line[i];
            }
        }

        words.AddRange(word is null ? [] : [word]);
        return words;
    }

    private sealed class FakeServices : IServiceManager
    {
        internal Dictionary<string, string> Lines { get; } = [];

        internal Dictionary<string, string> Others { get; } = [];

        internal List<string> Asked { get; } = [];

        internal string? Fails { get; set; }

        public string? CommandLineOf(string name) => Lines.GetValueOrDefault(name);

        public void Execute(IReadOnlyList<string> command)
        {
            Asked.Add(string.Join(' ', command));
            if (command[1] == Fails)
            {
                throw new ServiceException("Access is denied.");
            }

            if (command[1] == "create")
            {
                Lines[command[2]] = command[4];
            }
            else if (command[1] == "delete")
            {
                Lines.Remove(command[2]);
            }
        }

        public bool MakeFolder(string path) => !Others.ContainsKey(path);

        public void SetEventSource(string name, bool exists) => Asked.Add($"event source {name}: {exists}");

        public void Start(string name) => Asked.Add($"start {name}");

        public void Stop(string name) => Asked.Add($"stop {name}");
    }
}
