using Raven.Storage.Checks;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace FastTests.Support;

/// <summary>
/// Random transactions on a tree, a fixed tree, a multi-value tree and a heap of one environment, and on dictionaries.
/// Transactions are rolled back now and then, the environment is flushed and opened again; every commit is followed by
/// a check of all pages, and old snapshots are read again from start to end before they go.
/// </summary>
internal sealed class EnvironmentModel : IDisposable
{
    private const int SnapshotsMax = 3;

    private readonly Random _random;
    private readonly string _folder;
    private readonly Queue<(ReadTransaction Reader, Contents Model)> _snapshots = new();
    private StorageEnvironment _environment;
    private Contents _model = new();

    internal EnvironmentModel(int seed)
    {
        _random = new Random(seed);
        _folder = Path.Combine(Path.GetTempPath(), $"raven-model-{seed}-{Guid.NewGuid():N}");
        _environment = Open();
    }

    internal int Steps { get; private set; }

    public void Dispose()
    {
        ReleaseSnapshots();
        _environment.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    internal void Run(int transactions, int operationsMax)
    {
        for (int i = 0; i < transactions; i++)
        {
            if (_random.Next(12) == 0)
            {
                Reopen();
            }

            RunTransaction(_random.Next(1, operationsMax));
            if (_random.Next(4) == 0)
            {
                _environment.Flush();
            }

            _snapshots.Enqueue((_environment.BeginRead(), _model.Copy()));
            Check(_snapshots.Last().Reader);
            if (_snapshots.Count > SnapshotsMax)
            {
                (ReadTransaction reader, Contents model) = _snapshots.Dequeue();
                model.Compare(reader);
                reader.Dispose();
            }
        }
    }

    private static void Check(ReadTransaction reader)
    {
        CheckReport report = reader.Check();
        Assert.True(report.Findings.Count == 0, string.Join('\n', report.Findings));
    }

    private StorageEnvironment Open() => StorageEnvironment.Open(new StorageOptions
    {
        FileSystem = new RealFileSystem(_folder),
        Durability = StorageDurability.Lazy,
        FlushAfterBytes = 256 << 10,
        JournalSizeBytesMax = 1 << 20,
        AuditsCommits = true,
    });

    private void Reopen()
    {
        ReleaseSnapshots();
        _environment.Dispose();
        _environment = Open();
        using ReadTransaction reader = _environment.BeginRead();
        _model.Compare(reader);
    }

    private void ReleaseSnapshots()
    {
        while (_snapshots.TryDequeue(out var snapshot))
        {
            snapshot.Model.Compare(snapshot.Reader);
            snapshot.Reader.Dispose();
        }
    }

    private void RunTransaction(int operations)
    {
        Contents before = _model.Copy();
        using WriteTransaction transaction = _environment.BeginWrite();
        for (int i = 0; i < operations; i++)
        {
            Steps++;
            Step(transaction);
        }

        if (_random.Next(6) == 0)
        {
            _model = before;
            return;
        }

        transaction.Commit();
    }

    private void Step(WriteTransaction transaction)
    {
        byte[] key = new byte[1 + _random.Next(30)];
        _random.NextBytes(key.AsSpan(0, Math.Min(2, key.Length)));
        byte[] value = new byte[_random.Next(40) == 0 ? _random.Next(200_000) : _random.Next(400)];
        _random.NextBytes(value.AsSpan(0, Math.Min(value.Length, 32)));
        switch (_random.Next(10))
        {
            case 0 or 1 or 2:
                transaction.OpenOrCreateTree("tree"u8).Put(key, value);
                _model.Tree[key] = value;
                break;
            case 3:
                byte[] known = _model.Tree.Count == 0
                    ? key
                    : _model.Tree.Keys.ElementAt(_random.Next(_model.Tree.Count));
                Assert.Equal(_model.Tree.Remove(known), transaction.OpenOrCreateTree("tree"u8).Delete(known));
                break;
            case 4 or 5:
                long number = _random.Next(3) == 0 ? _random.Next(5_000) : _model.NextNumber++;
                transaction.OpenOrCreateFixedTree("numbers"u8, sizeof(long)).Put(number, -number);
                _model.Numbers.Add(number);
                break;
            case 6:
                long gone = _random.Next(5_000);
                Assert.Equal(
                    _model.Numbers.Remove(gone),
                    transaction.OpenOrCreateFixedTree("numbers"u8, sizeof(long)).Delete(gone));
                break;
            case 7:
                StepSets(transaction.OpenOrCreateMultiTree("sets"u8), key);
                break;
            default:
                StepRows(transaction.OpenOrCreateRowHeap("rows"u8), value);
                break;
        }
    }

    private void StepSets(MultiTree sets, byte[] value)
    {
        byte set = (byte)_random.Next(4);
        if (_random.Next(4) != 0)
        {
            Assert.Equal(_model.Sets.Add([set, .. value]), sets.Add([set], value));
        }
        else
        {
            Assert.Equal(_model.Sets.Remove([set, .. value]), sets.Remove([set], value));
        }
    }

    private void StepRows(RowHeap rows, byte[] row)
    {
        long known = _model.Rows.Count == 0 ? 0 : _model.Rows.Keys.ElementAt(_random.Next(_model.Rows.Count));
        int choice = known == 0 ? 0 : _random.Next(4);
        if (choice < 2)
        {
            _model.Rows.Add(rows.Insert(row), row);
            return;
        }

        _model.Rows.Remove(known);
        if (choice == 2)
        {
            rows.Delete(known);
            return;
        }

        long id = rows.Update(known, row.Length, out var memory);
        row.CopyTo(memory.WritableSpan);
        _model.Rows.Add(id, row);
    }

    /// <summary>What the environment must hold.</summary>
    private sealed class Contents
    {
        internal SortedDictionary<byte[], byte[]> Tree { get; private init; } = new(ByteOrder.Instance);

        internal SortedSet<long> Numbers { get; private init; } = [];

        internal SortedSet<byte[]> Sets { get; private init; } = new(ByteOrder.Instance);

        internal Dictionary<long, byte[]> Rows { get; private init; } = [];

        internal long NextNumber { get; set; }

        internal Contents Copy() => new()
        {
            Tree = new SortedDictionary<byte[], byte[]>(Tree, ByteOrder.Instance),
            Numbers = [.. Numbers],
            Sets = new SortedSet<byte[]>(Sets, ByteOrder.Instance),
            Rows = new Dictionary<long, byte[]>(Rows),
            NextNumber = NextNumber,
        };

        internal void Compare(ReadTransaction reader)
        {
            CompareTree(reader.TryOpenTree("tree"u8));
            CompareNumbers(reader.TryOpenFixedTree("numbers"u8));
            CompareSets(reader.TryOpenMultiTree("sets"u8));
            RowHeap? rows = reader.TryOpenRowHeap("rows"u8);
            Assert.Equal(Rows.Count, rows?.Count ?? 0);
            foreach ((long id, byte[] row) in Rows)
            {
                Assert.True(rows!.Read(id).Span.SequenceEqual(row));
            }
        }

        private void CompareTree(Tree? tree)
        {
            Assert.Equal(Tree.Count, tree?.Count ?? 0);
            TreeCursor cursor = tree is null ? default : tree.GetCursor();
            bool isValid = tree is not null && cursor.SeekFirst();
            foreach ((byte[] key, byte[] value) in Tree)
            {
                Assert.True(isValid && cursor.Key.SequenceEqual(key) && cursor.Value.Span.SequenceEqual(value));
                isValid = cursor.MoveNext();
            }

            Assert.False(isValid);
        }

        private void CompareNumbers(FixedTree? tree)
        {
            Assert.Equal(Numbers.Count, tree?.Count ?? 0);
            FixedTreeCursor cursor = tree is null ? default : tree.GetCursor();
            bool isValid = tree is not null && cursor.SeekFirst();
            foreach (long number in Numbers)
            {
                Assert.True(isValid && cursor.Key == number && cursor.Int64Value == -number);
                isValid = cursor.MoveNext();
            }

            Assert.False(isValid);
        }

        private void CompareSets(MultiTree? tree)
        {
            Assert.Equal(Sets.Count, tree?.Count ?? 0);
            for (byte set = 0; set < 4; set++)
            {
                MultiTreeCursor cursor = tree is null ? default : tree.GetValues([set]);
                foreach (byte[] value in Sets.Where(entry => entry[0] == set))
                {
                    Assert.True(cursor.MoveNext() && cursor.Value.Span.SequenceEqual(value.AsSpan(1)));
                }

                Assert.False(cursor.MoveNext());
            }
        }
    }
}
