using System.Diagnostics;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Raven.Server.Options;
using SlowTests.Client;
using SlowTests.Support;

namespace SlowTests.Packaging;

/// <summary>
/// What an operator installs: the published folder as the systemd unit starts it, the unit itself, the image's file.
/// </summary>
[Trait(Category.Shard, "packaging")]
public sealed partial class PackagingTests(ITestOutputHelper output)
{
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(30);

    private static readonly string Unit = Path.Combine(NodeProgram.Root, "packaging", "raven.service");
    private static readonly string ProgramProject = Path.Combine(
        NodeProgram.Root, "src", "CommandLine", "Raven.CommandLine.csproj");

    /// <summary>The folder that the guide has one make, started as the unit does it but for the paths.</summary>
    [Fact]
    public async Task The_published_folder_serves_when_it_is_started_as_the_systemd_unit_does()
    {
        string folder = Directory.CreateTempSubdirectory("raven-packaging-").FullName;
        try
        {
            string app = Path.Combine(folder, "app");
            (int code, string printed) = await RunAsync(
                "dotnet", "publish", ProgramProject, "-c", "Release", "--nologo", "-p:PublishProfile=folder",
                "--artifacts-path", Path.Combine(folder, "artifacts"), "-o", app);
            Assert.True(code == 0, printed);
            Assert.True(File.Exists(Path.Combine(app, PublishedAssembly())), "The image starts what is not there.");
            string data = Directory.CreateDirectory(Path.Combine(folder, "data")).FullName;
            int port = SamplesTests.FreePort();
            using Process server = Process.Start(AsUnit(app, data, port))!;
            try
            {
                await AssertServesAsync(server, port);
                Assert.True(Directory.Exists(Path.Combine(data, "db")), "The data is not where the unit has it.");
            }
            finally
            {
                Assert.Equal(0, (await RunAsync("kill", $"-{Value("KillSignal")[3..]}", $"{server.Id}")).Code);
                if (!server.WaitForExit(StopLimit))
                {
                    server.Kill();
                }
            }

            Assert.Equal(0, server.ExitCode);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public async Task Systemd_verifies_the_unit_without_findings()
    {
        string[] start = Value("ExecStart").Split(' ');
        Assert.Equal(["/opt/raven/raven", "server"], start);
        int seconds = int.Parse(Value("TimeoutStopSec"), null);
        Assert.True(seconds > new ServerOptions().DrainMax.TotalSeconds + 10, "It cuts the drain.");
        if (!File.Exists("/usr/bin/systemd-analyze"))
        {
            output.WriteLine("Not verified: this machine has no systemd-analyze.");
            return;
        }

        // The program has to be there and the user known: the unit is verified with ones that are.
        string folder = Directory.CreateTempSubdirectory("raven-unit-").FullName;
        string copy = Path.Combine(folder, "raven.service");
        await File.WriteAllTextAsync(copy, (await File.ReadAllTextAsync(Unit))
            .Replace(start[0], "/bin/true", StringComparison.Ordinal)
            .Replace("file:/usr/share/doc/raven/operations.md", "man:true(1)", StringComparison.Ordinal));
        try
        {
            (int code, string printed) = await RunAsync("systemd-analyze", "verify", "--man=no", copy);
            output.WriteLine($"systemd-analyze verify: {code} {printed}");
            Assert.True(code == 0, printed);
            Assert.DoesNotContain("raven.service", printed, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Row", "98")]
    public async Task The_Dockerfile_restores_every_project_and_starts_the_published_program()
    {
        string text = await File.ReadAllTextAsync(Path.Combine(NodeProgram.Root, "Dockerfile"));
        string[][] copies = [.. Copy().Matches(text).Select(line => line.Groups[1].Value.Split(' '))];
        string[] projects = [.. Projects(ProgramProject).Order(StringComparer.Ordinal)];
        Assert.True(projects.Length > 4, string.Join(", ", projects));
        Assert.Equal(
            projects.Select(project => (project, Path.GetDirectoryName(project) + "/")),
            copies.Where(copy => copy[0].EndsWith(".csproj", StringComparison.Ordinal))
                .Select(copy => (copy[0], copy[^1])).Order());
        Assert.All(
            copies.SelectMany(copy => copy[..^1]).Where(file => !file.StartsWith('/')),
            file => Assert.True(Path.Exists(Path.Combine(NodeProgram.Root, file)), $"{file} is not there."));

        // What is restored is what the profile publishes, without a second restore.
        Assert.Contains(
            "RUN dotnet restore src/CommandLine -p:PublishProfile=folder\n", text, StringComparison.Ordinal);
        Assert.Contains("--no-restore -p:PublishProfile=folder", text, StringComparison.Ordinal);
        Assert.Contains(copies, copy => copy[0] == "src/CommandLine/Properties/PublishProfiles/");

        // What every build of the root folder reads has to be copied before the first one.
        string first = text[..text.IndexOf("RUN dotnet restore", StringComparison.Ordinal)];
        Assert.All(
            Directory.EnumerateFiles(NodeProgram.Root).Select(path => Path.GetFileName(path)!).Where(IsForBuilds),
            file => Assert.Contains(file, first, StringComparison.Ordinal));
        Assert.Equal("raven.dll", PublishedAssembly());
        Assert.Contains($"ENTRYPOINT [\"dotnet\", \"{PublishedAssembly()}\"]", text, StringComparison.Ordinal);
        string version = XDocument.Load(Path.Combine(NodeProgram.Root, "Directory.Build.props"))
            .Descendants("TargetFramework").Single().Value["net".Length..];
        Assert.Equal(2, Regex.Count(text, $@"^ARG \w+_IMAGE=mcr\.microsoft\.com/dotnet/\w+:{Regex.Escape(version)}$",
            RegexOptions.Multiline));
    }

    /// <summary>The health check of the image, run here with a server and with none.</summary>
    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Row", "98")]
    public async Task The_health_check_of_the_image_is_what_healthz_says()
    {
        string text = await File.ReadAllTextAsync(Path.Combine(NodeProgram.Root, "Dockerfile"));
        string json = HealthCheck().Match(text).Groups[1].Value.Replace("\\\n", "", StringComparison.Ordinal);
        string[] command = [.. JsonNode.Parse(json)!.AsArray().Select(part => (string)part!)];
        Assert.Equal(["dotnet", PublishedAssembly(), "health"], command);
        command[1] = Path.Combine(AppContext.BaseDirectory, command[1]);
        string data = Directory.CreateTempSubdirectory("raven-health-").FullName;
        try
        {
            Assert.NotEqual(0, await CheckAsync());
            using (ServerProcess.Start(data))
            {
                Assert.Equal(0, await CheckAsync());
            }

            Assert.NotEqual(0, await CheckAsync());
        }
        finally
        {
            Directory.Delete(data, recursive: true);
        }

        async Task<int> CheckAsync() =>
            (await RunAsync("env", [$"RAVEN_DataDir={data}", .. command])).Code;
    }

    private static bool IsForBuilds(string file) =>
        file is "global.json" or ".editorconfig" or "BannedSymbols.txt" or "nuget.config"
        || (file.StartsWith("Directory.", StringComparison.Ordinal)
            && (file.EndsWith(".props", StringComparison.Ordinal)
                || file.EndsWith(".targets", StringComparison.Ordinal)));

    /// <summary>A project and all that it refers to, from the root.</summary>
    private static HashSet<string> Projects(string project)
    {
        HashSet<string> all = [Path.GetRelativePath(NodeProgram.Root, project)];
        foreach (XElement reference in XDocument.Load(project).Descendants("ProjectReference"))
        {
            string path = Path.Combine(Path.GetDirectoryName(project)!, reference.Attribute("Include")!.Value);
            all.UnionWith(Projects(Path.GetFullPath(path)));
        }

        return all;
    }

    /// <summary>The name of the program's assembly.</summary>
    private static string PublishedAssembly()
    {
        string? name = XDocument.Load(ProgramProject).Descendants("AssemblyName").SingleOrDefault()?.Value;
        return $"{name ?? Path.GetFileNameWithoutExtension(ProgramProject)}.dll";
    }

    /// <summary>The one value of a key of the unit.</summary>
    private static string Value(string key) => File.ReadAllLines(Unit)
        .Single(line => line.StartsWith($"{key}=", StringComparison.Ordinal))[(key.Length + 1)..];

    /// <summary>The command line and environment of the unit, with this machine's folders and a free port.</summary>
    private static ProcessStartInfo AsUnit(string app, string data, int port)
    {
        string Here(string text) => text
            .Replace("/opt/raven", app, StringComparison.Ordinal)
            .Replace("/var/lib/raven", data, StringComparison.Ordinal);

        string[] command = [.. Value("ExecStart").Split(' ').Select(Here)];
        var start = new ProcessStartInfo(command[0], command[1..])
        {
            RedirectStandardOutput = true, WorkingDirectory = Here(Value("WorkingDirectory")),
        };
        start.Environment["RAVEN_ServerUrl"] = $"http://127.0.0.1:{port}";
        foreach (string variable in Value("Environment").Split(' ').Select(Here))
        {
            string[] parts = variable.Split('=', 2);
            start.Environment[parts[0]] = parts[1];
        }

        return start;
    }

    private static async Task AssertServesAsync(Process server, int port)
    {
        string? line = await server.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromMinutes(1));
        string url = $"http://127.0.0.1:{port}";
        Assert.Equal($"Server available on: {url} (Studio: {url}/studio/)", line);
        using var client = new HttpClient { BaseAddress = new Uri(url) };
        using var record = new StringContent("""{"DatabaseName":"db"}""", Encoding.UTF8, "application/json");
        (await client.PutAsync("/admin/databases?name=db", record)).EnsureSuccessStatusCode();
        using var document = new StringContent("""{"Name":"Chai"}""", Encoding.UTF8, "application/json");
        (await client.PutAsync("/databases/db/docs?id=a", document)).EnsureSuccessStatusCode();
        string read = await client.GetStringAsync("/databases/db/docs?id=a");
        Assert.Equal("Chai", (string?)JsonNode.Parse(read)!["Results"]![0]!["Name"]);
    }

    private static async Task<(int Code, string Printed)> RunAsync(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string printed = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, printed + await errors);
    }

    [GeneratedRegex(@"^HEALTHCHECK .* CMD (\[.*?\])$", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex HealthCheck();

    [GeneratedRegex(@"^COPY (?:--\S+ )?(.+)$", RegexOptions.Multiline)]
    private static partial Regex Copy();
}
