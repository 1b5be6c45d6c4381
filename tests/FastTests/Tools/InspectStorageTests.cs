using System.Text;
using Raven.Storage;
using Raven.Storage.Files;
using Raven.Storage.Transactions;
using Raven.Tools.Inspect;
using Raven.Tools.Inspect.Verbs;

namespace FastTests.Tools;

/// <summary>The verbs that look into a storage folder, on one whose journal is damaged in the middle.</summary>
public sealed class InspectStorageTests : IDisposable
{
    private const string Journal = "journal-000001.voron";

    private readonly string _folder =
        Path.Combine(Path.GetTempPath(), "raven-inspect-" + Guid.NewGuid().ToString("N")[..12]);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_journal_damaged_in_the_middle_is_named_and_what_precedes_it_can_be_kept()
    {
        MakeCrashedFolder();
        string journal = Run(new JournalVerb(), 0, _folder, Journal);
        Assert.Equal(6, journal.Split('\n').Count(line => line.Trim().Length > 0) - 1);

        string path = Path.Combine(_folder, Journal);
        byte[] bytes = File.ReadAllBytes(path);
        bytes[3 * 4096 + 300] ^= 1;
        File.WriteAllBytes(path, bytes);
        Assert.Contains($"{Journal}, offset 12288", Run(new VerifyVerb(), 2, _folder), StringComparison.Ordinal);
        string recovered = Run(new RecoverVerb(), 0, _folder, "--give-up-what-follows");
        Assert.Contains("up to transaction 3", recovered, StringComparison.Ordinal);
        Assert.Contains("transaction 3", Run(new VerifyVerb(), 0, _folder), StringComparison.Ordinal);
        Assert.Contains("page 2, FreeSpace", Run(new PageVerb(), 0, _folder, "2"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_tree_is_drawn_page_by_page()
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

        string list = Run(new TreeVerb(), 0, _folder);
        Assert.Matches("\"numbers\" +FixedTree +1000 +2 .* [0-9]+%", list);
        Assert.Matches("\"words\" +Tree +1000 +2 .* [0-9]+%", list);
        string words = Run(new TreeVerb(), 0, _folder, "words");
        Assert.Contains("TreeBranch", words, StringComparison.Ordinal);
        Assert.Contains("TreeLeaf", words, StringComparison.Ordinal);
        Assert.Contains("\"word 0000\" .. ", words, StringComparison.Ordinal);
        Assert.Contains(" .. \"word 0999\"", words, StringComparison.Ordinal);
        Assert.Contains(" .. 999", Run(new TreeVerb(), 0, _folder, "numbers"), StringComparison.Ordinal);
        Assert.Contains("no structure", Run(new TreeVerb(), 1, _folder, "nothing"), StringComparison.Ordinal);
    }

    [Fact]
    public void Files_that_cannot_be_read_get_one_line_and_an_exit_code()
    {
        Directory.CreateDirectory(_folder);
        string data = Path.Combine(_folder, "data.voron");
        IsOneLine(Run(new JournalVerb(), 1, _folder, Journal));
        IsOneLine(Run(new PageVerb(), 1, _folder, "2"));
        IsOneLine(Run(new BlittableVerb(), 1, _folder));

        File.WriteAllBytes(data, new byte[64 << 10]);
        IsOneLine(Run(new TreeVerb(), 2, _folder));
        IsOneLine(Run(new VerifyVerb(), 2, _folder));
        IsOneLine(Run(new RecoverVerb(), 2, _folder, "--give-up-what-follows"));
        IsOneLine(Run(new JournalVerb(), 1, _folder, Journal));
        Assert.Contains("8 pages", Run(new PageVerb(), 1, _folder, "8"), StringComparison.Ordinal);
        Assert.Contains("8 pages", Run(new PageVerb(), 1, _folder, $"{long.MaxValue}"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, "A")]
    [InlineData(1, "B")]
    public void A_bit_that_changed_in_a_copy_of_the_file_header_is_a_finding(int copy, string name)
    {
        MakeClosedFolder();
        string path = Path.Combine(_folder, "data.voron");
        byte[] bytes = File.ReadAllBytes(path);
        bytes[(copy * 8192) + 100] ^= 1;
        File.WriteAllBytes(path, bytes);
        string found = Run(new VerifyVerb(), 2, _folder);
        Assert.Contains($"data.voron: header copy {name} is not whole", found, StringComparison.Ordinal);
        Assert.Contains(", 1 findings", found, StringComparison.Ordinal);
    }

    [Fact]
    public void A_new_folder_and_one_that_was_closed_have_no_findings()
    {
        StorageEnvironment.Open(new StorageOptions { FileSystem = new RealFileSystem(_folder) }).Dispose();
        Assert.Contains(", 0 findings", Run(new VerifyVerb(), 0, _folder), StringComparison.Ordinal);
        MakeClosedFolder();
        Assert.Contains(", 0 findings", Run(new VerifyVerb(), 0, _folder), StringComparison.Ordinal);
    }

    private static void IsOneLine(string text) => Assert.Single(text.TrimEnd().Split('\n'));

    private static string Run(IInspectVerb verb, int expected, params string[] arguments)
    {
        using var output = new StringWriter();
        int result = VerbRun.Run(verb, arguments, output);
        Assert.True(result == expected, $"{verb.Name} ended with {result}: {output}");
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

    private void MakeCrashedFolder()
    {
        string live = _folder + "/live";
        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = new RealFileSystem(live) });
        for (int i = 0; i < 6; i++)
        {
            using WriteTransaction transaction = environment.BeginWrite();
            transaction.OpenOrCreateTree("t"u8).Put(Encoding.ASCII.GetBytes($"k{i}"), new byte[50]);
            transaction.Commit();
        }

        foreach (string name in new[] { "data.voron", Journal })
        {
            File.Copy(Path.Combine(live, name), Path.Combine(_folder, name));
        }
    }
}
