using System.Diagnostics;
using SlowTests.Client;
using SlowTests.Support;

namespace SlowTests.Packaging;

/// <summary>
/// The package for Debian: what is in it, what lintian says, and its life in a chroot that debootstrap makes, where
/// these tools are; without them the test says that it did not run that part. RAVEN_DEB_APP names a folder that was
/// published before, RAVEN_DEBIAN_MIRROR another mirror.
/// </summary>
[Trait(Category.Shard, "packaging")]
public sealed class DebTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-deb-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Row", "2")]
    [Trait("Row", "99")]
    public async Task The_package_installs_upgrades_and_goes_and_the_data_stays()
    {
        if (!File.Exists("/usr/bin/dpkg-deb"))
        {
            output.WriteLine("Not run: this machine has no dpkg-deb.");
            return;
        }

        string app = Environment.GetEnvironmentVariable("RAVEN_DEB_APP") ?? await PublishAsync();
        string first = await BuildAsync(app, "0.1.0");
        string second = await BuildAsync(app, "0.1.1");
        await CheckContentsAsync(first);
        await LintAsync(first);
        await LiveAsync(first, second);
    }

    private async Task<string> PublishAsync()
    {
        string app = Path.Combine(_folder, "app");
        await PackageTests.RunAsync(
            NodeProgram.Root, "dotnet", "publish", Path.Combine("src", "CommandLine"), "--nologo", "-c", "Release",
            "-p:PublishProfile=folder", "-p:PublishSingleFile=true", "-p:SelfContained=true", "-p:DebugType=none",
            "-r", "linux-x64", "--artifacts-path", Path.Combine(_folder, "artifacts"), "-o", app);
        Directory.Delete(Path.Combine(_folder, "artifacts"), recursive: true);
        return app;
    }

    private async Task<string> BuildAsync(string app, string version)
    {
        string printed = await RunAsync(
            Path.Combine(NodeProgram.Root, "packaging", "deb", "build.sh"), "--app", app, "--version", version,
            "--out", _folder, "--compression", "gzip");
        string file = printed.Split('\n', StringSplitOptions.RemoveEmptyEntries)[^1];
        Assert.True(File.Exists(file), printed);
        return file;
    }

    private static async Task CheckContentsAsync(string package)
    {
        string[] lines = (await RunAsync("dpkg-deb", "--contents", package)).Split('\n');
        Assert.All(
            lines.Where(line => line.Length > 0),
            line => Assert.Contains(" root/root ", line, StringComparison.Ordinal));
        foreach ((string mode, string path) in ((string, string)[])
        [
            ("-rwxr-xr-x", "./usr/lib/raven/raven"), ("lrwxrwxrwx", "./usr/bin/raven -> ../lib/raven/raven"),
            ("-rw-r--r--", "./usr/lib/systemd/system/raven.service"), ("-rw-r--r--", "./usr/lib/sysusers.d/raven.conf"),
            ("-rw-r-----", "./etc/raven/settings.json"),
        ])
        {
            Assert.Contains(lines, line => line.StartsWith(mode, StringComparison.Ordinal)
                && line.EndsWith($" {path}", StringComparison.Ordinal));
        }

        // No folder of data is the package's: so no removal and no purge takes one away.
        Assert.DoesNotContain(lines, line => line.Contains("./var", StringComparison.Ordinal));
    }

    private async Task LintAsync(string package)
    {
        if (!File.Exists("/usr/bin/lintian"))
        {
            output.WriteLine("Not run: this machine has no lintian.");
            return;
        }

        string printed = await RunAsync("lintian", "--fail-on", "error,warning", "--allow-root", package);
        output.WriteLine($"lintian: {(printed.Length == 0 ? "nothing" : printed)}");
    }

    private async Task LiveAsync(string first, string second)
    {
        if (!File.Exists("/usr/sbin/debootstrap") || Environment.UserName != "root")
        {
            output.WriteLine("Not run: this machine has no debootstrap, or this is not root.");
            return;
        }

        string root = Path.Combine(_folder, "debian");
        string? wrong = await TryRunAsync(
            "debootstrap", "--variant=minbase", "--include=libstdc++6,zlib1g,curl,ca-certificates,iproute2",
            "stable", root,
            Environment.GetEnvironmentVariable("RAVEN_DEBIAN_MIRROR") ?? "http://deb.debian.org/debian");
        if (wrong is not null)
        {
            output.WriteLine($"Not run: debootstrap found no mirror: {wrong}");
            return;
        }

        File.Copy(first, Path.Combine(root, "tmp", "first.deb"));
        File.Copy(second, Path.Combine(root, "tmp", "second.deb"));
        foreach (string script in (string[])["life", "drill", "server"])
        {
            File.Copy(
                Path.Combine(NodeProgram.Root, "tests", "SlowTests", "Packaging", $"deb-{script}.sh"),
                Path.Combine(root, "tmp", $"{script}.sh"));
        }

        await File.WriteAllTextAsync(Path.Combine(root, "tmp", "drill"), await DrillAsync());
        string port = SamplesTests.FreePort().ToString(System.Globalization.CultureInfo.InvariantCulture);
        foreach ((string script, string end) in ((string, string)[])[("life", "all of it\n"), ("drill", "restored\n")])
        {
            string printed = await RunAsync(
                "unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c",
                "mount --bind \"$0\" \"$0\" && exec chroot \"$0\" /bin/bash \"/tmp/$2.sh\" \"$1\"",
                root, port, script);
            output.WriteLine(printed);
            Assert.EndsWith(end, printed, StringComparison.Ordinal);
        }
    }

    /// <summary>The commands of the drill in the runbook.</summary>
    private static async Task<string> DrillAsync()
    {
        const string fence = "```";
        string page = await File.ReadAllTextAsync(Path.Combine(NodeProgram.Root, "docs", "operations.md"));
        const string begin = fence + "sh\n";
        int drill = page.IndexOf("**Drill**", StringComparison.Ordinal);
        int first = page.IndexOf(begin, drill, StringComparison.Ordinal) + begin.Length;
        return page[first..page.IndexOf(fence, first, StringComparison.Ordinal)];
    }

    private static async Task<string> RunAsync(string program, params string[] arguments)
    {
        (int code, string printed, string errors) = await StartAsync(program, arguments);
        Assert.True(code == 0, $"{program} {string.Join(' ', arguments)}: {code}\n{printed}\n{errors}");
        return printed;
    }

    private static async Task<string?> TryRunAsync(string program, params string[] arguments)
    {
        (int code, string printed, string errors) = await StartAsync(program, arguments);
        return code == 0 ? null : (printed + errors).TrimEnd().Split('\n')[^1];
    }

    private static async Task<(int Code, string Printed, string Errors)> StartAsync(
        string program, string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string printed = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, printed, await errors);
    }
}
