using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using FastTests.Support;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Recovery;
using Raven.Storage.Transactions;
using Shared.Storage;
using Shared.Storage.Structures;

namespace FastTests.Storage.Golden;

/// <summary>
/// The bytes of whole folders of format versions 1 to 3 as a crash leaves them, fixed in <c>folder-1.txt</c> to 4: a
/// data file that was flushed, and journals with whole pages, patches, packed records, a switch and a direct run. If a
/// test here fails, folders that exist can no longer be read: make a new version instead of a new golden file.
/// </summary>
public sealed class FolderGoldenTests
{
    private const ulong EnvironmentId = 0x0123456789ABCDEF;
    private const int BytesPerLine = 32;

    /// <summary>As a folder is written. Those before it are of version 1, and the first of them has other lengths of
    /// what is packed.</summary>
    private const string Written = "folder-3.txt";

    /// <summary>The same with a gate: of version 3, as it is in a log.</summary>
    private const string WrittenInLog = "folder-4.txt";

    [Theory]
    [Trait("Invariant", "LOG-2")]
    [InlineData(Written)]
    [InlineData(WrittenInLog)]
    public void A_folder_has_exactly_these_bytes(string file)
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        if (file == WrittenInLog)
        {
            new RecordingGate { Epoch = 5 }.Attach(environment);
        }

        Fill(environment);
        using DiskImage image = disk.CurrentImage();
        string dump = Dump(image);
        string actual = Path.Combine(Path.GetTempPath(), file);
        string golden = Path.Combine(Folder(), file);
        bool isSame = File.Exists(golden) && File.ReadAllText(golden).ReplaceLineEndings("\n") == dump;
        if (!isSame)
        {
            File.WriteAllText(actual, dump);
        }

        Assert.True(isSame, $"They are now those of {actual}.");
    }

    [Theory]
    [InlineData("folder-1.txt")]
    [InlineData("folder-2.txt")]
    [InlineData(Written)]
    [InlineData(WrittenInLog)]
    public void The_journal_of_the_folder_has_entries_and_records_of_all_kinds(string golden)
    {
        using DiskImage image = Load(golden);
        using var disk = new SimulatedFileSystem(image);
        var records = new HashSet<JournalRecordKind>();
        var entries = new HashSet<JournalEntryKind>();
        bool anyPacked = false;
        foreach (string name in image.Files.Keys.Where(name => JournalName.TryParse(name, out _)))
        {
            using var reader = new JournalReader(disk.Open(name, FileOpenMode.Existing), EnvironmentId);
            using var plain = new NativeBuffer(JournalRecordHeader.AlignmentBytes);
            for (long offset = 0; reader.TryRead(offset, out JournalRecordHeader header, out var record);
                offset += record.Length)
            {
                records.Add(header.Kind);
                anyPacked |= (header.Flags & JournalRecordHeader.CompressedFlag) != 0;
                ReadOnlySpan<byte> payload = JournalPayload.Open(header, record, plain, name);
                for (int i = 0; i < header.EntryCount; i++)
                {
                    JournalEntryHeader entry = MemoryMarshal.Read<JournalEntryHeader>(payload);
                    entries.Add(entry.Kind);
                    payload = payload[(JournalEntryHeader.SizeInBytes + entry.DataBytes)..];
                }
            }
        }

        Assert.Equal(Enum.GetValues<JournalRecordKind>(), records.Order());
        Assert.Equal(Enum.GetValues<JournalEntryKind>(), entries.Order());
        Assert.True(anyPacked);
    }

    [Theory]
    [Trait("Invariant", "RECOVERY-1")]
    [Trait(Proof.Row, Proof.Crashes)]
    [InlineData("folder-1.txt", 6264057728226139230UL)]
    [InlineData("folder-2.txt", 11209507450136133895UL)]
    [InlineData(Written, 17539711517589890442UL)]
    [InlineData(WrittenInLog, 17928212423895667185UL)]
    public void A_folder_of_any_version_is_recovered_and_takes_further_transactions(
        string golden, ulong recoveredFingerprint)
    {
        ImmutableSortedDictionary<string, byte[]> state;
        using (var model = new SimulatedFileSystem())
        using (StorageEnvironment environment = Open(model))
        {
            state = Fill(environment);
        }

        using DiskImage image = Load(golden);
        using var disk = new SimulatedFileSystem(image);
        using (StorageEnvironment environment = Open(disk))
        {
            Assert.True(environment.Recovery.Transactions > 3);
            RequireState(environment, state);
        }

        // Of all files, when what the crash left has been recovered and closed.
        using DiskImage recovered = disk.CurrentImage();
        Assert.Equal(recoveredFingerprint, recovered.Fingerprint());
        using (StorageEnvironment environment = Open(disk))
        {
            Assert.Equal(0, environment.Recovery.Transactions);
            state = Change(environment, state, from: 3, to: 6, length: 900);
            RequireState(environment, state);
        }

        using StorageEnvironment again = Open(disk);
        RequireState(again, state);
    }

    [Theory]
    [Trait("Row", "100")]
    [InlineData("folder-1.txt")]
    [InlineData("folder-2.txt")]
    [InlineData(Written)]
    [InlineData(WrittenInLog)]
    public void Nothing_of_a_folder_that_was_closed_is_rewritten_before_the_first_write(string golden)
    {
        using DiskImage image = Load(golden);
        using var disk = new SimulatedFileSystem(image);
        Open(disk).Dispose();
        ulong closed = disk.CurrentImage().Fingerprint();
        using (StorageEnvironment environment = Open(disk))
        {
            using ReadTransaction reader = environment.BeginRead();
            int count = 0;
            foreach (ModelStructure structure in ModelStructure.All)
            {
                _ = structure.Difference(reader, CrashWorkload.Empty, ref count);
            }

            Assert.Empty(environment.Audit().Findings);
        }

        Assert.Equal(closed, disk.CurrentImage().Fingerprint());
    }

    private static StorageEnvironment Open(SimulatedFileSystem disk) => StorageEnvironment.Open(new StorageOptions
    {
        FileSystem = disk,
        Clock = disk.Clock,
        Scheduler = new ManualScheduler(),
        NewEnvironmentId = EnvironmentId,
        JournalSizeBytesMin = 16 << 10,
        JournalSizeBytesMax = 16 << 10,
    });

    /// <summary>Some of everything in the data file; changes of it in the journal, over more than one file.</summary>
    private static ImmutableSortedDictionary<string, byte[]> Fill(StorageEnvironment environment)
    {
        ImmutableSortedDictionary<string, byte[]> state = CrashWorkload.Empty;
        state = Change(environment, state, from: 0, to: 8, length: 30);
        Assert.True(environment.Flush());
        for (int i = 1; i <= 3; i++)
        {
            state = Change(environment, state, from: i, to: i + 2, length: 20 * i);
        }

        using WriteTransaction transaction = environment.BeginWrite();
        state = ModelStructure.Tree.Change(transaction, state, number: 9, new byte[70_000]);
        state = ModelStructure.Tree.Change(transaction, state, number: 2, null);
        transaction.Commit();
        return state;
    }

    private static ImmutableSortedDictionary<string, byte[]> Change(
        StorageEnvironment environment, ImmutableSortedDictionary<string, byte[]> state, int from, int to, int length)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        foreach (ModelStructure structure in ModelStructure.All)
        {
            for (int number = from; number < to; number++)
            {
                byte[] value = new byte[length];
                value[0] = (byte)(number + 1);
                value[1] = (byte)length;
                value[^1] = 0xFF;
                state = structure.Change(transaction, state, number, value);
            }
        }

        transaction.Commit();
        return state;
    }

    private static void RequireState(
        StorageEnvironment environment, ImmutableSortedDictionary<string, byte[]> state)
    {
        using ReadTransaction reader = environment.BeginRead();
        int count = 0;
        foreach (ModelStructure structure in ModelStructure.All)
        {
            Assert.Null(structure.Difference(reader, state, ref count));
        }

        Assert.Equal(state.Count, count);
        Assert.Empty(environment.Audit().Findings);
    }

    /// <summary>Each file: its lines of 32 bytes that are not all zero.</summary>
    private static string Dump(DiskImage image)
    {
        var text = new StringBuilder();
        foreach ((string name, FileBytes file) in image.Files.OrderBy(pair => pair.Key, StringComparer.Ordinal))
        {
            text.Append(CultureInfo.InvariantCulture, $"file {name} {file.Length}\n");
            for (int at = 0; at < file.Length; at += BytesPerLine)
            {
                ReadOnlySpan<byte> line = file.Span.Slice(at, Math.Min(BytesPerLine, file.Length - at));
                if (line.IndexOfAnyExcept((byte)0) >= 0)
                {
                    text.Append(CultureInfo.InvariantCulture, $"{at:x6} {Convert.ToHexString(line)}\n");
                }
            }
        }

        return text.ToString();
    }

    private static DiskImage Load(string golden)
    {
        var image = new DiskImage();
        byte[] bytes = [];
        string name = "";
        IEnumerable<string> lines = File.ReadLines(Path.Combine(Folder(), golden));
        foreach (string[] words in lines.Append("file").Select(line => line.Split(' ')))
        {
            if (words[0] != "file")
            {
                int at = int.Parse(words[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture);
                Convert.FromHexString(words[1]).CopyTo(bytes.AsSpan(at));
                continue;
            }

            if (name.Length > 0)
            {
                image.Files.Add(name, new FileBytes(bytes));
            }

            if (words.Length > 1)
            {
                name = words[1];
                bytes = new byte[int.Parse(words[2], CultureInfo.InvariantCulture)];
            }
        }

        return image;
    }

    private static string Folder([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;
}
