using System.Text;
using System.Text.Json;
using FastTests.Documents;
using Raven.Security.Audit;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>The chain of the audit log: what is changed behind the server's back is found, at its place.</summary>
[Trait("Security", "61")]
public sealed class AuditLogTests : IDisposable
{
    private static readonly byte[] Key = [.. Enumerable.Range(1, 32).Select(i => (byte)i)];

    private readonly string _folder = Directory.CreateTempSubdirectory("audit").FullName;
    private readonly TestClock _clock = new();
    private readonly Anchor _anchor = new();

    private string Current => Path.Combine(_folder, "audit.jsonl");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Invariant", "AUDIT-1")]
    public void Lines_are_numbered_and_bound_to_each_other_over_restarts()
    {
        for (int run = 0; run < 3; run++)
        {
            using AuditLog log = Open();
            log.Write(Denied("a"));
            log.WriteFlushed(Denied("b"));
        }

        string[] lines = File.ReadAllLines(Current);
        Assert.Equal(6, lines.Length);
        for (int i = 0; i < lines.Length; i++)
        {
            using JsonDocument line = JsonDocument.Parse(lines[i]);
            Assert.Equal(i + 1, line.RootElement.GetProperty("n").GetInt32());
        }

        Assert.Empty(Verify());
    }

    [Fact]
    [Trait("Invariant", "AUDIT-1")]
    public void A_line_that_is_changed_removed_or_moved_is_named()
    {
        Write(10);
        string[] lines = File.ReadAllLines(Current);
        for (int i = 0; i < lines.Length - 1; i++)
        {
            string[] changed = [.. lines];
            changed[i] = changed[i].Replace("denied", "ok", StringComparison.Ordinal);
            AssertFault($"line {i + 2}: the line before it (number {i + 1}) was changed", changed);
            string[] removed = [.. lines[..i], .. lines[(i + 1)..]];
            AssertFault(i == 0 ? "" : $"line {i + 1}: lines {i + 1} to {i + 1} are missing", removed);
            string[] swapped = [.. lines];
            (swapped[i], swapped[i + 1]) = (swapped[i + 1], swapped[i]);
            Assert.NotEmpty(VerifyText(string.Join('\n', swapped) + "\n"));
        }
    }

    [Fact]
    [Trait("Invariant", "AUDIT-2")]
    public void An_end_that_is_cut_off_shows()
    {
        Write(10);
        string[] lines = File.ReadAllLines(Current);
        for (int kept = 0; kept < lines.Length; kept++)
        {
            Assert.Contains("its end is missing", Assert.Single(
                VerifyText(string.Concat(lines[..kept].Select(line => line + "\n")))), StringComparison.Ordinal);
        }

        string[] changed = [.. lines];
        changed[^1] = changed[^1].Replace("denied", "ok", StringComparison.Ordinal);
        Assert.Single(VerifyText(string.Concat(changed.Select(line => line + "\n"))));
    }

    [Fact]
    public void A_line_that_was_cut_by_the_end_of_the_process_is_taken_away_and_the_chain_goes_on()
    {
        Write(3);
        File.AppendAllText(Current, "{\"n\":4,\"prev\":\"half");
        Write(1);
        Assert.Equal(4, File.ReadAllLines(Current).Length);
        Assert.Empty(Verify());
    }

    [Fact]
    [Trait("Security", "58")]
    public void What_a_client_sends_stays_within_its_line()
    {
        string hostile = "a\r\nb\u2028c\u001b[31m\"}\0" + new string('x', 1 << 20);
        using (AuditLog log = Open())
        {
            log.WriteFlushed(new AuditEvent("request.denied", AuditOutcome.Denied)
            {
                By = new Identity { Kind = IdentityKind.Certificate, Name = hostile, Key = hostile },
                Database = hostile,
                Resource = hostile,
                Detail = [KeyValuePair.Create("why", hostile)],
            });
        }

        string text = Assert.Single(File.ReadAllText(Current).Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.DoesNotContain(text, c => c is < ' ' or > '~');
        Assert.InRange(text.Length, 0, 6 * 4096);
        using JsonDocument line = JsonDocument.Parse(text);
        Assert.Equal(hostile[..4096], line.RootElement.GetProperty("database").GetString());
    }

    [Fact]
    [Trait("Invariant", "AUDIT-3")]
    public void A_flushed_line_whose_end_cannot_be_kept_is_not_written()
    {
        using (AuditLog log = Open())
        {
            log.WriteFlushed(Denied("a"));
            _anchor.Fails = true;
            Assert.Throws<IOException>(() => log.WriteFlushed(Denied("b")));
            _anchor.Fails = false;
            log.WriteFlushed(Denied("c"));
        }

        string[] lines = File.ReadAllLines(Current);
        Assert.Equal(2, lines.Length);
        Assert.Contains("\"resource\":\"c\"", lines[1], StringComparison.Ordinal);
        Assert.Empty(Verify());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Full_files_are_closed_and_the_chain_runs_through_all_of_them(bool compresses)
    {
        var options = new AuditOptions { Folder = _folder, FileBytesMax = 2000, Compresses = compresses };
        using (AuditLog log = AuditLog.Open(options, Key, _anchor, _clock))
        {
            for (int i = 0; i < 40; i++)
            {
                log.WriteFlushed(Denied("resource " + i));
            }
        }

        Assert.InRange(Directory.GetFiles(_folder).Length, 3, 40);
        Assert.All(
            Directory.GetFiles(_folder, "audit-*"),
            path => Assert.Equal(compresses, path.EndsWith(".gz", StringComparison.Ordinal)));
        Assert.Empty(Verify());
        File.Delete(Directory.GetFiles(_folder, "audit-*").Order(StringComparer.Ordinal).ElementAt(1));
        Assert.Contains("are missing", Verify()[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Only_so_many_closed_files_are_kept()
    {
        var options = new AuditOptions { Folder = _folder, FileBytesMax = 500, FilesMax = 2 };
        using (AuditLog log = AuditLog.Open(options, Key, _anchor, _clock))
        {
            for (int i = 0; i < 40; i++)
            {
                log.Write(Denied("x"));
            }
        }

        Assert.Equal(2, Directory.GetFiles(_folder, "audit-*").Length);
        Assert.Empty(Verify());
    }

    [Fact]
    public void Its_files_are_for_their_owner_alone()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        Write(1);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Current));
    }

    private static AuditEvent Denied(string resource) =>
        new("request.denied", AuditOutcome.Denied) { From = "192.0.2.1:5", Resource = resource };

    private void AssertFault(string expected, string[] lines)
    {
        IReadOnlyList<string> faults = VerifyText(string.Concat(lines.Select(line => line + "\n")));
        if (expected.Length > 0)
        {
            Assert.Contains(expected, faults[0], StringComparison.Ordinal);
        }
    }

    private void Write(int count)
    {
        using AuditLog log = Open();
        for (int i = 0; i < count; i++)
        {
            log.Write(Denied("resource " + i));
        }
    }

    private AuditLog Open() => AuditLog.Open(new AuditOptions { Folder = _folder }, Key, _anchor, _clock);

    private IReadOnlyList<string> Verify() => AuditReader.Verify(_folder, Key, _anchor.Kept);

    private IReadOnlyList<string> VerifyText(string text)
    {
        string other = Directory.CreateTempSubdirectory("audit").FullName;
        File.WriteAllBytes(Path.Combine(other, "audit.jsonl"), Encoding.UTF8.GetBytes(text));
        IReadOnlyList<string> faults = AuditReader.Verify(other, Key, _anchor.Kept);
        Directory.Delete(other, recursive: true);
        return faults;
    }

    private sealed class Anchor : IAuditAnchor
    {
        internal AuditChain? Kept { get; private set; }

        internal bool Fails { get; set; }

        public AuditChain? Read() => Kept;

        public void Keep(AuditChain chain) =>
            Kept = Fails ? throw new IOException("The disk is full.") : chain;
    }
}
