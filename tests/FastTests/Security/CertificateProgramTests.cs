using Raven.Security.Certificates;

namespace FastTests.Security;

/// <summary>A program that prints the certificate: what it may be, what it sees, how long and how much.</summary>
[Trait("Security", "17")]
public sealed class CertificateProgramTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("exec").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Invariant", "EXEC-1")]
    public void Arguments_are_passed_as_they_are_and_no_variable_of_the_server_is()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        Environment.SetEnvironmentVariable("RAVEN_Test_Secret", "canary");
        try
        {
            string text = Run("#!/bin/sh\nprintf '%s|' \"$@\"\nenv\n", "a b", "; rm -rf x", "$(id)");
            Assert.StartsWith("a b|; rm -rf x|$(id)|", text, StringComparison.Ordinal);
            Assert.DoesNotContain("canary", text, StringComparison.Ordinal);
        }
        finally
        {
            Environment.SetEnvironmentVariable("RAVEN_Test_Secret", null);
        }
    }

    [Fact]
    [Trait("Invariant", "EXEC-2")]
    public void A_program_that_others_can_change_or_that_is_not_named_whole_is_not_run()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        string path = Write("#!/bin/sh\necho x\n");
        File.SetUnixFileMode(path, File.GetUnixFileMode(path) | UnixFileMode.GroupWrite);
        Assert.Contains("chmod go-w", Refused(path), StringComparison.Ordinal);
        Assert.Contains("absolute", Refused("cat"), StringComparison.Ordinal);
        Assert.Contains("no program", Refused(Path.Combine(_folder, "none")), StringComparison.Ordinal);
        Assert.Contains("no program", Refused(_folder), StringComparison.Ordinal);
        string link = Path.Combine(_folder, "link");
        File.CreateSymbolicLink(link, path);
        Assert.Contains("chmod go-w", Refused(link), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "EXEC-2")]
    public void A_program_or_a_link_to_it_that_others_can_replace_is_not_run()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        const UnixFileMode all = (UnixFileMode)0b111_111_111;
        string open = Directory.CreateDirectory(Path.Combine(_folder, "open")).FullName;
        string own = Directory.CreateDirectory(Path.Combine(open, "own")).FullName;
        string path = Path.Combine(own, "program");
        File.Move(Write("#!/bin/sh\necho x\n"), path);
        string link = Path.Combine(open, "link");
        File.CreateSymbolicLink(link, Write("#!/bin/sh\necho x\n"));
        Assert.Equal("x\n", RunAt(path));
        Assert.Equal("x\n", RunAt(link));
        File.SetUnixFileMode(open, all);
        Assert.Contains($"may write to '{open}'", Refused(path), StringComparison.Ordinal);
        Assert.Contains($"may write to '{open}'", Refused(link), StringComparison.Ordinal);

        // As in /tmp: who may write there replaces no file of another.
        File.SetUnixFileMode(open, all | UnixFileMode.StickyBit);
        Assert.Equal("x\n", RunAt(path));
        Assert.Equal("x\n", RunAt(link));
    }

    [Fact]
    [Trait("Invariant", "EXEC-3")]
    public void A_program_that_fails_or_prints_too_much_or_does_not_end_is_ended_with_its_children()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        Assert.Contains("code 3: why", Refused(Write("#!/bin/sh\necho why >&2\nexit 3\n")), StringComparison.Ordinal);
        Assert.Contains("more than 1", Refused(Write("#!/bin/sh\nexec cat /dev/zero\n")), StringComparison.Ordinal);
        string child = Path.Combine(_folder, "child");
        string hangs = Write($"#!/bin/sh\nsleep 3600 &\necho $! > {child}\nwait\n");
        Assert.Contains("did not end", Refused(hangs, TimeSpan.FromSeconds(1)), StringComparison.Ordinal);
        if (File.Exists(child))
        {
            Support.Deadline.Until(() => !Directory.Exists("/proc/" + File.ReadAllText(child).Trim()));
        }
    }

    private string Run(string script, params string[] arguments) => System.Text.Encoding.UTF8.GetString(
        new CertificateProgram(Write(script), arguments, TimeSpan.FromMinutes(1)).Run(1 << 20));

    private static string RunAt(string path) => System.Text.Encoding.UTF8.GetString(
        new CertificateProgram(path, [], TimeSpan.FromMinutes(1)).Run(1 << 20));

    private static string Refused(string path, TimeSpan? timeMax = null) => Assert.Throws<CertificateException>(
        () => new CertificateProgram(path, [], timeMax ?? TimeSpan.FromMinutes(1)).Run(1 << 20)).Message;

    private string Write(string script)
    {
        string path = Path.Combine(_folder, Guid.NewGuid().ToString("N"));
        File.WriteAllText(path, script);
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        return path;
    }
}
