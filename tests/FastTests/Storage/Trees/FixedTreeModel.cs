using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Checks;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>
/// Random transactions on a fixed tree and on a sorted list, with the checks of <see cref="TreeModel"/>.
/// </summary>
internal sealed class FixedTreeModel(int seed, int valueSize, long keyRange)
{
    private readonly Random _random = new(seed);
    private readonly OldSnapshots<SortedList<long, byte[]>> _snapshots = new();

    private SortedList<long, byte[]> _model = [];
    private long _next = -5;

    internal void Run(int transactions, int operationsMax)
    {
        try
        {
            using var store = new MemoryPageStore();
            var root = StructureRoot.Empty(StructureKind.FixedTree, valueSize);
            var tree = new FixedTree();
            for (int i = 0; i < transactions; i++)
            {
                root = RunTransaction(store, tree, root, _random.Next(1, operationsMax));
                _snapshots.ReadAgain(tree, Compare);
            }
        }
        catch (Exception failure)
        {
            throw new InvalidOperationException(
                $"new FixedTreeModel({seed}, {valueSize}, {keyRange}).Run({transactions}, {operationsMax}) fails",
                failure);
        }
    }

    private static void Compare(FixedTree tree, SortedList<long, byte[]> model)
    {
        Assert.Equal(model.Count, tree.Count);
        FixedTreeCursor cursor = tree.GetCursor();
        bool isValid = cursor.SeekFirst();
        foreach ((long key, byte[] value) in model)
        {
            Assert.True(isValid);
            Assert.True(cursor.Key == key);
            Assert.True(cursor.Value.Span.SequenceEqual(value));
            isValid = cursor.MoveNext();
        }

        Assert.False(isValid);
        isValid = tree.Count != 0 && cursor.MovePrevious();
        foreach ((long key, _) in model.Reverse())
        {
            Assert.True(isValid);
            Assert.True(cursor.Key == key);
            isValid = cursor.MovePrevious();
        }
    }

    private StructureRoot RunTransaction(MemoryPageStore store, FixedTree tree, StructureRoot root, int operations)
    {
        var before = new SortedList<long, byte[]>(_model);
        using MemoryPageStore.Writer writer = store.BeginWrite();
        tree.Attach(writer, root);
        tree.UseRecentLeaves = _random.Next(4) != 0;
        for (int i = 0; i < operations; i++)
        {
            Step(tree);
        }

        var report = new CheckReport();
        FixedTreeCheck.Run(writer, tree.Root, "tree", report);
        Assert.Empty(report.Findings);
        if (_random.Next(5) == 0)
        {
            _model = before;
            writer.Dispose();
            tree.Attach(store.BeginRead(), root);
            Compare(tree, _model);
            return root;
        }

        root = tree.Root;
        writer.Commit();
        Assert.Equal(store.NextPage - 1, report.Owners.Count + store.FreePages.Count);
        _snapshots.Add(store.BeginRead(), root, new SortedList<long, byte[]>(_model));

        return root;
    }

    private void Step(FixedTree tree)
    {
        switch (_random.Next(100))
        {
            case < 25:
                for (int i = _random.Next(50); i >= 0; i--)
                {
                    Put(tree, _next);
                    _next += _random.Next(8) == 0 ? 2 : 1;
                }

                break;
            case < 60:
                Put(tree, NewKey());
                break;
            case < 80:
                long deleted = NewKey();
                Assert.Equal(_model.Remove(deleted), tree.Delete(deleted));
                break;
            case < 90:
                long key = NewKey();
                Assert.Equal(_model.TryGetValue(key, out byte[]? value), tree.TryGet(key, out NativeSlice found));
                Assert.True(found.Span.SequenceEqual(value ?? []));
                break;
            case < 99:
                Seek(tree, NewKey());
                break;
            default:
                long from = NewKey();
                long to = _random.Next(3) == 0 ? NewKey() : from + _random.NextInt64(keyRange / 4);
                long[] inside = [.. _model.Keys.Where(k => k >= from && k <= to)];
                Assert.Equal(inside.Length, tree.DeleteRange(from, to));
                foreach (long gone in inside)
                {
                    _model.Remove(gone);
                }

                break;
        }
    }

    private void Put(FixedTree tree, long key)
    {
        byte[] value = new byte[valueSize];
        _random.NextBytes(value);
        bool isNew = !_model.ContainsKey(key);
        _model[key] = value;
        Assert.Equal(isNew, tree.Put(key, value));
    }

    private void Seek(FixedTree tree, long key)
    {
        IList<long> keys = _model.Keys;
        int atLeast = FirstFrom(keys, key);
        int atMost = atLeast < keys.Count && keys[atLeast] == key ? atLeast : atLeast - 1;
        FixedTreeCursor cursor = tree.GetCursor();
        Assert.Equal(atLeast < keys.Count, cursor.Seek(key));
        Assert.True(atLeast == keys.Count || cursor.Key == keys[atLeast]);
        Assert.Equal(atLeast > 0, cursor.MovePrevious());
        Assert.True(atLeast == 0 || cursor.Key == keys[atLeast - 1]);
        Assert.Equal(atMost >= 0, cursor.SeekAtMost(key));
        Assert.True(atMost < 0 || cursor.Key == keys[atMost]);
        Assert.Equal(keys.Count != 0, tree.TryGetLast(out long last));
        Assert.Equal(keys.Count == 0 ? 0 : keys[^1], last);
        Assert.Equal(keys.Count != 0, tree.TryGetFirst(out long first));
        Assert.Equal(keys.Count == 0 ? 0 : keys[0], first);
    }

    /// <summary>The place of the first key that is not less; the list is not copied for it.</summary>
    private static int FirstFrom(IList<long> keys, long key)
    {
        int from = 0;
        int to = keys.Count;
        while (from < to)
        {
            int middle = from + ((to - from) / 2);
            (from, to) = keys[middle] < key ? (middle + 1, to) : (from, middle);
        }

        return from;
    }

    private long NewKey() => _random.Next(50) switch
    {
        0 => long.MaxValue,
        1 => long.MinValue,
        < 20 when keyRange < 100_000 => _random.NextInt64(keyRange) - (keyRange / 2),
        < 30 => _random.NextInt64(keyRange),
        _ => _random.NextInt64(-10, Math.Max(_next, 10)),
    };
}
