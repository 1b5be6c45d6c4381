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
    private readonly TestAnchor _anchor = new();

    private string Current => Path.Combine(_folder, "audit.jsonl");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Invariant", "CHAIN-1")]
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
    [Trait("Invariant", "CHAIN-1")]
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
            AssertFault($"line {i + 1}: lines {i + 1} to {i + 1} are missing", removed);
            string[] swapped = [.. lines];
            (swapped[i], swapped[i + 1]) = (swapped[i + 1], swapped[i]);
            Assert.NotEmpty(VerifyText(string.Join('\n', swapped) + "\n"));
        }
    }

    [Fact]
    [Trait("Invariant", "CHAIN-2")]
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
    [Trait("Invariant", "CHAIN-2")]
    public void A_beginning_that_is_cut_off_shows()
    {
        Write(10);
        string[] lines = File.ReadAllLines(Current);
        for (int cut = 1; cut < lines.Length; cut++)
        {
            Assert.Equal(
                $"audit.jsonl, line 1: lines 1 to {cut} are missing before it.",
                Assert.Single(VerifyText(string.Concat(lines[cut..].Select(line => line + "\n")))));
        }
    }

    [Fact]
    [Trait("Invariant", "CHAIN-2")]
    public void What_was_deleted_while_the_server_did_not_run_shows_for_ever()
    {
        Write(10);
        File.Delete(Current);
        using (AuditLog log = Open())
        {
            Assert.Contains("had written 10", log.Fault, StringComparison.Ordinal);
            log.WriteFlushed(Denied("a"));
        }

        Write(5);
        Assert.Equal("audit.jsonl, line 1: lines 1 to 10 are missing before it.", Assert.Single(Verify()));
    }

    [Fact]
    [Trait("Invariant", "CHAIN-2")]
    public void What_was_cut_off_while_the_server_did_not_run_shows_for_ever()
    {
        Write(10);
        string[] lines = File.ReadAllLines(Current);
        File.WriteAllLines(Current, lines[..7]);
        Write(5);
        Assert.Equal("audit.jsonl, line 8: lines 8 to 10 are missing before it.", Assert.Single(Verify()));
    }

    [Fact]
    [Trait("Invariant", "CHAIN-1")]
    public void Lines_that_are_added_or_come_twice_show()
    {
        Write(6);
        string[] lines = File.ReadAllLines(Current);
        for (int i = 0; i < lines.Length; i++)
        {
            string[] twice = [.. lines[..i], lines[i], .. lines[i..]];
            Assert.NotEmpty(VerifyText(string.Join('\n', twice) + "\n"));
            string[] added = [.. lines[..i], "{}", .. lines[i..]];
            Assert.NotEmpty(VerifyText(string.Join('\n', added) + "\n"));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_folder_that_is_removed_while_it_runs_is_made_again_and_what_is_lost_shows(bool isBlocked)
    {
        string folder = Path.Combine(_folder, "log");
        using (AuditLog log = AuditLog.Open(new AuditOptions { Folder = folder }, Key, _anchor, _clock))
        {
            log.WriteFlushed(Denied("a"));
            Directory.Delete(folder, recursive: true);
            if (isBlocked)
            {
                File.WriteAllText(folder, "a file, where a folder was");
                Assert.Throws<IOException>(() => log.WriteFlushed(Denied("b")));
                Assert.Throws<IOException>(() => log.Write(Denied("b")));
                File.Delete(folder);
            }

            log.WriteFlushed(Denied("c"));
        }

        Assert.Contains("\"resource\":\"c\"", Assert.Single(
            File.ReadAllLines(Path.Combine(folder, "audit.jsonl"))), StringComparison.Ordinal);
        Assert.Equal(
            "audit.jsonl, line 1: lines 1 to 1 are missing before it.",
            Assert.Single(AuditReader.Verify(folder, Key, _anchor)));
    }

    [Fact]
    [Trait("Invariant", "CHAIN-3")]
    public void A_full_disk_takes_no_line_and_leaves_no_part_of_one()
    {
        var disk = new FullDisk();
        var options = new AuditOptions { Folder = _folder, OpenFile = disk.Open };
        using (AuditLog log = AuditLog.Open(options, Key, _anchor, _clock))
        {
            log.WriteFlushed(Denied("a"));
            foreach (FullDisk.Fault fault in Enum.GetValues<FullDisk.Fault>())
            {
                disk.Now = fault;
                if (fault != FullDisk.Fault.None)
                {
                    Assert.Contains("No space", Assert.Throws<IOException>(
                        () => log.WriteFlushed(Denied("lost"))).Message, StringComparison.Ordinal);
                }
            }

            disk.Now = FullDisk.Fault.None;
            log.WriteFlushed(Denied("b"));
        }

        Assert.Equal(2, File.ReadAllLines(Current).Length);
        Assert.DoesNotContain("lost", File.ReadAllText(Current), StringComparison.Ordinal);
        Assert.Empty(Verify());
    }

    [Fact]
    public void A_link_is_no_audit_log()
    {
        File.CreateSymbolicLink(Current, Path.Combine(_folder, "elsewhere"));
        Assert.Contains("is a link", Assert.Throws<IOException>(Open).Message, StringComparison.Ordinal);
        File.Delete(Current);
    }

    [Fact]
    public void Lines_and_the_end_of_the_chain_are_on_the_disk_behind_a_flush()
    {
        using AuditLog log = Open();
        log.Write(Denied("a"));
        Assert.Null(_anchor.Kept);
        log.Flush();
        Assert.Equal(log.Chain, _anchor.Kept);
        Assert.Empty(log.Verify());
    }

    [Fact]
    public void A_damaged_compressed_file_is_named_and_the_log_goes_on()
    {
        var options = new AuditOptions { Folder = _folder, FileBytesMax = 500, Compresses = true };
        using (AuditLog log = AuditLog.Open(options, Key, _anchor, _clock))
        {
            for (int i = 0; i < 10; i++)
            {
                log.Write(Denied("x"));
            }
        }

        string closed = Directory.GetFiles(_folder, "*.gz").Order(StringComparer.Ordinal).First();
        File.WriteAllBytes(closed, [1, 2, 3]);
        Assert.NotEmpty(Verify());
        using (AuditLog log = AuditLog.Open(options, Key, _anchor, _clock))
        {
            log.WriteFlushed(Denied("y"));
        }

        Assert.NotEmpty(Verify());
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
    [Trait("Invariant", "CHAIN-3")]
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
        Assert.Contains(expected, faults[0], StringComparison.Ordinal);
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

    private IReadOnlyList<string> Verify() => AuditReader.Verify(_folder, Key, _anchor);

    private IReadOnlyList<string> VerifyText(string text)
    {
        string other = Directory.CreateTempSubdirectory("audit").FullName;
        File.WriteAllBytes(Path.Combine(other, "audit.jsonl"), Encoding.UTF8.GetBytes(text));
        IReadOnlyList<string> faults = AuditReader.Verify(other, Key, _anchor);
        Directory.Delete(other, recursive: true);
        return faults;
    }
}
