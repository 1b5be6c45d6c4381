using System.Text;
using FastTests.Support;
using Raven.CommandLine;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace FastTests.Tools;

/// <summary>The verbs that look into a storage folder, on one whose journal is damaged in the middle.</summary>
public sealed class InspectStorageTests : IDisposable
{
    private const string Journal = "journal-000001.voron";

    private readonly string _folder =
        Path.Combine(Path.GetTempPath(), "raven-inspect-" + Guid.NewGuid().ToString("N")[..12]);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait(Proof.Row, Proof.Damage)]
    public void A_journal_with_damage_in_the_middle_is_reported_and_the_records_before_it_can_be_kept()
    {
        MakeCrashedFolder();
        string journal = Run(0, "inspect", "journal", _folder, Journal);
        Assert.Equal(6, journal.Split('\n').Count(line => line.Trim().Length > 0) - 1);

        string path = Path.Combine(_folder, Journal);
        byte[] bytes = File.ReadAllBytes(path);
        bytes[3 * 4096 + 300] ^= 1;
        File.WriteAllBytes(path, bytes);
        Recover($"{Journal}, offset 12288", kept: 3);
        Assert.Contains("page 2, FreeSpace", Run(0, "inspect", "page", _folder, "2"), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "B15")]
    public void Help_ends_with_exit_code_zero()
    {
        Directory.CreateDirectory(_folder);
        Assert.Contains("<folder>", Run(0, "verify", "--help"), StringComparison.Ordinal);
    }

    [Fact]
    public void Inspect_draws_a_tree_page_by_page()
    {
        Directory.CreateDirectory(_folder);
        using (StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = new RealFileSystem(_folder) }))
        {
            using WriteTransaction transaction = environment.BeginWrite();
            for (int i = 0; i < 1_000; i++)
            {
                transaction.OpenOrCreateTree("words"u8).Put(Encoding.ASCII.GetBytes($"word {i:D4}"), new byte[40]);
                transaction.OpenOrCreateFixedTree("numbers"u8, sizeof(long)).Put(i, (long)i);
            }

            transaction.Commit();
        }

        string list = Run(0, "inspect", "tree", _folder);
        Assert.Matches("\"numbers\" +FixedTree +1000 +2 .* [0-9]+%", list);
        Assert.Matches("\"words\" +Tree +1000 +2 .* [0-9]+%", list);
        string words = Run(0, "inspect", "tree", _folder, "words");
        Assert.Contains("TreeBranch", words, StringComparison.Ordinal);
        Assert.Contains("TreeLeaf", words, StringComparison.Ordinal);
        Assert.Contains("\"word 0000\" .. ", words, StringComparison.Ordinal);
        Assert.Contains(" .. \"word 0999\"", words, StringComparison.Ordinal);
        Assert.Contains(" .. 999", Run(0, "inspect", "tree", _folder, "numbers"), StringComparison.Ordinal);
        Assert.Contains("no structure", Run(2, "inspect", "tree", _folder, "nothing"), StringComparison.Ordinal);
    }

    [Fact]
    public void Inspect_reports_files_that_cannot_be_read_in_one_line_and_an_exit_code()
    {
        Directory.CreateDirectory(_folder);
        string data = Path.Combine(_folder, "data.voron");
        IsOneLine(Run(2, "inspect", "journal", _folder, Journal));
        IsOneLine(Run(2, "inspect", "page", _folder, "2"));
        IsOneLine(Run(2, "inspect", "blittable", _folder));

        File.WriteAllBytes(data, new byte[64 << 10]);
        IsOneLine(Run(3, "inspect", "tree", _folder));
        IsOneLine(Run(3, "verify", _folder));
        IsOneLine(Run(3, "recover", _folder, "--give-up-what-follows"));
        IsOneLine(Run(2, "inspect", "journal", _folder, Journal));
        Assert.Contains("8 pages", Run(2, "inspect", "page", _folder, "8"), StringComparison.Ordinal);
        Assert.Contains("8 pages", Run(2, "inspect", "page", _folder, $"{long.MaxValue}"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, "A")]
    [InlineData(1, "B")]
    [Trait(Proof.Row, Proof.Damage)]
    public void A_flipped_bit_in_one_copy_of_the_file_header_is_a_finding(int copy, string name)
    {
        MakeClosedFolder();
        string path = Path.Combine(_folder, "data.voron");
        byte[] bytes = File.ReadAllBytes(path);
        bytes[(copy * 8192) + 100] ^= 1;
        File.WriteAllBytes(path, bytes);
        string found = Run(3, "verify", _folder);
        Assert.Contains($"data.voron: header copy {name} is not whole", found, StringComparison.Ordinal);
        Assert.Contains(", 1 findings", found, StringComparison.Ordinal);
    }

    [Fact]
    public void A_new_environment_and_a_closed_one_have_no_findings()
    {
        StorageEnvironment.Open(new StorageOptions { FileSystem = new RealFileSystem(_folder) }).Dispose();
        Assert.Contains(", 0 findings", Run(0, "verify", _folder), StringComparison.Ordinal);
        MakeClosedFolder();
        Assert.Contains(", 0 findings", Run(0, "verify", _folder), StringComparison.Ordinal);
    }

    /// <summary>The older copy knows of no journal, and there is one: what it has is given up, and the next open does
    /// not stop there again.</summary>
    [Fact]
    [Trait(Proof.Row, Proof.Damage)]
    public void If_the_newer_file_header_is_damaged_the_state_of_the_older_one_can_be_kept()
    {
        MakeClosedFolder();
        MakeCrashedFolder();
        string path = Path.Combine(_folder, "data.voron");
        byte[] bytes = File.ReadAllBytes(path);
        int newer = Newer(bytes);
        bytes[newer + 40] ^= 1;
        File.WriteAllBytes(path, bytes);
        string recovered = Recover("record behind transaction 1", kept: 1);
        Assert.Contains("header copy", recovered, StringComparison.Ordinal);
    }

    [Fact]
    [Trait(Proof.Row, Proof.Damage)]
    public void All_whole_records_of_a_journal_that_was_cut_can_be_kept()
    {
        MakeCrashedFolder();
        using (FileStream file = File.OpenWrite(Path.Combine(_folder, Journal)))
        {
            file.SetLength(file.Length - 1);
        }

        Recover("the file was cut", kept: 6);
    }

    [Fact]
    [Trait(Proof.Row, Proof.Damage)]
    public void The_state_that_is_kept_is_checked()
    {
        MakeClosedFolder();
        MakeCrashedFolder();
        string path = Path.Combine(_folder, "data.voron");
        byte[] bytes = File.ReadAllBytes(path);
        for (int page = 3; page < bytes.Length / 8192; page++)
        {
            bytes[(page * 8192) + 300] ^= 1;
        }

        // Without the journal, which would write over them.
        File.WriteAllBytes(path, bytes);
        foreach (string journal in Directory.GetFiles(_folder, "journal-*"))
        {
            File.WriteAllBytes(journal, new byte[new FileInfo(journal).Length]);
        }

        string found = Run(3, "recover", _folder, "--give-up-what-follows");
        Assert.Contains("the checksum of page", found, StringComparison.Ordinal);
        Assert.DoesNotContain("Kept everything", found, StringComparison.Ordinal);
    }

    [Fact]
    public void Inspecting_a_folder_that_is_no_environment_creates_no_files()
    {
        Directory.CreateDirectory(_folder);
        Assert.Contains("There is no data.voron", Run(2, "verify", _folder), StringComparison.Ordinal);
        Assert.Contains(
            "There is no data.voron",
            Run(2, "recover", _folder, "--give-up-what-follows"),
            StringComparison.Ordinal);
        Assert.Contains("There is no data.voron", Run(2, "inspect", "tree", _folder), StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(_folder));
        Assert.Contains("There is no folder", Run(2, "verify", _folder + "/no"), StringComparison.Ordinal);
    }

    /// <summary>Verify names the damage, recover keeps what precedes it, and then verify finds nothing.</summary>
    /// <returns>What recover printed.</returns>
    private string Recover(string damage, int kept)
    {
        Assert.Contains(damage, Run(3, "verify", _folder), StringComparison.Ordinal);
        string recovered = Run(0, "recover", _folder, "--give-up-what-follows");
        Assert.Contains($"up to transaction {kept}", recovered, StringComparison.Ordinal);
        Assert.Contains($"transaction {kept}:", Run(0, "verify", _folder), StringComparison.Ordinal);
        return recovered;
    }

    /// <summary>The start of the header copy with the higher counter.</summary>
    private static int Newer(byte[] file)
    {
        Assert.True(FileHeader.TryRead(file.AsSpan(0, FileHeader.SizeInBytes), out FileHeader first));
        Assert.True(FileHeader.TryRead(file.AsSpan(8192, FileHeader.SizeInBytes), out FileHeader second));
        return first.Counter > second.Counter ? 0 : 8192;
    }

    private static void IsOneLine(string text) => Assert.Single(text.TrimEnd().Split('\n'));

    private static string Run(int expected, params string[] arguments)
    {
        using var output = new StringWriter();
        int result = RavenCommand.RunAsync(arguments, output, output).GetAwaiter().GetResult();
        Assert.True(result == expected, $"{string.Join(' ', arguments)} ended with {result}: {output}");
        return output.ToString();
    }

    private void MakeClosedFolder()
    {
        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = new RealFileSystem(_folder) });
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put("k"u8, new byte[50]);
        transaction.Commit();
    }

    /// <summary>Six commits that were not applied, behind what is in the folder already.</summary>
    private void MakeCrashedFolder()
    {
        string live = _folder + "/live";
        if (Directory.Exists(_folder))
        {
            string before = _folder + "-before";
            Directory.Move(_folder, before);
            Directory.CreateDirectory(_folder);
            Directory.Move(before, live);
        }

        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = new RealFileSystem(live) });
        for (int i = 0; i < 6; i++)
        {
            using WriteTransaction transaction = environment.BeginWrite();
            transaction.OpenOrCreateTree("t"u8).Put(Encoding.ASCII.GetBytes($"k{i}"), new byte[50]);
            transaction.Commit();
        }

        foreach (string file in Directory.GetFiles(live, "*.voron"))
        {
            File.Copy(file, Path.Combine(_folder, Path.GetFileName(file)));
        }
    }
}
