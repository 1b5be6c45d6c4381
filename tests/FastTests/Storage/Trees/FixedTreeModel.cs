using Raven.Blittable.Memory;
using Raven.Storage.Checks;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>Random transactions on a fixed tree and on a sorted list.</summary>
internal sealed class FixedTreeModel(int seed, int valueSize, long keyRange)
    : SortedTreeModel<FixedTree, SortedList<long, byte[]>>(
        seed, $"new FixedTreeModel({seed}, {valueSize}, {keyRange})")
{
    private long _next = -5;

    private protected override SortedList<long, byte[]> Model { get; set; } = [];

    private protected override StructureRoot EmptyRoot => StructureRoot.Empty(StructureKind.FixedTree, valueSize);

    private protected override FixedTree NewTree() => new();

    private protected override SortedList<long, byte[]> Copy(SortedList<long, byte[]> model) => new(model);

    private protected override void UseRecentLeaves(FixedTree tree, bool doesUse) => tree.UseRecentLeaves = doesUse;

    private protected override void Check(IPageReader pages, FixedTree tree, CheckReport report) =>
        FixedTreeCheck.Run(pages, tree.Root, "tree", report);

    private protected override void ReadAll(FixedTree tree, SortedList<long, byte[]> model)
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

    private protected override void Step(FixedTree tree)
    {
        switch (Random.Next(100))
        {
            case < 25:
                for (int i = Random.Next(50); i >= 0; i--)
                {
                    Put(tree, _next);
                    _next += Random.Next(8) == 0 ? 2 : 1;
                }

                break;
            case < 60:
                Put(tree, NewKey());
                break;
            case < 80:
                long deleted = NewKey();
                Assert.Equal(Model.Remove(deleted), tree.Delete(deleted));
                break;
            case < 90:
                long key = NewKey();
                Assert.Equal(Model.TryGetValue(key, out byte[]? value), tree.TryGet(key, out NativeSlice found));
                Assert.True(found.Span.SequenceEqual(value ?? []));
                break;
            case < 99:
                Seek(tree, NewKey());
                break;
            default:
                long from = NewKey();
                long to = Random.Next(3) == 0 ? NewKey() : from + Random.NextInt64(keyRange / 4);
                long[] inside = [.. Model.Keys.Where(k => k >= from && k <= to)];
                Assert.Equal(inside.Length, tree.DeleteRange(from, to));
                foreach (long gone in inside)
                {
                    Model.Remove(gone);
                }

                break;
        }
    }

    private void Put(FixedTree tree, long key)
    {
        byte[] value = new byte[valueSize];
        Random.NextBytes(value);
        bool isNew = !Model.ContainsKey(key);
        Model[key] = value;
        Assert.Equal(isNew, tree.Put(key, value));
    }

    private void Seek(FixedTree tree, long key)
    {
        IList<long> keys = Model.Keys;
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

    private long NewKey() => Random.Next(50) switch
    {
        0 => long.MaxValue,
        1 => long.MinValue,
        < 20 when keyRange < 100_000 => Random.NextInt64(keyRange) - (keyRange / 2),
        < 30 => Random.NextInt64(keyRange),
        _ => Random.NextInt64(-10, Math.Max(_next, 10)),
    };
}
