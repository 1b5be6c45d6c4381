using System.Globalization;
using System.Text;
using FastTests.Support;
using Raven.Storage.Checks;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>
/// Random transactions on a tree and on a sorted dictionary. After each commit the pages are checked, and every
/// snapshot taken so far is read again from start to end. The seed and the shape replay a run.
/// </summary>
internal sealed class TreeModel(int seed, string shape)
{
    private readonly Random _random = new(seed);
    private readonly List<byte[]> _known = [];
    private readonly OldSnapshots<SortedDictionary<byte[], byte[]>> _snapshots = new();

    private SortedDictionary<byte[], byte[]> _model = new(ByteOrder.Instance);

    internal void Run(int transactions, int operationsMax)
    {
        try
        {
            using var store = new MemoryPageStore();
            var root = StructureRoot.Empty(StructureKind.Tree);
            var tree = new Tree();
            for (int i = 0; i < transactions; i++)
            {
                root = RunTransaction(store, tree, root, _random.Next(1, operationsMax));
                _snapshots.ReadAgain(tree, Compare);
            }
        }
        catch (Exception failure)
        {
            throw new InvalidOperationException(
                $"new TreeModel({seed}, \"{shape}\").Run({transactions}, {operationsMax}) fails", failure);
        }
    }

    internal static void Compare(Tree tree, SortedDictionary<byte[], byte[]> model)
    {
        Assert.Equal(model.Count, tree.Count);
        TreeCursor cursor = tree.GetCursor();
        bool isValid = cursor.SeekFirst();
        foreach ((byte[] key, byte[] value) in model)
        {
            Assert.True(isValid);
            Assert.True(cursor.Key.SequenceEqual(key));
            Assert.True(cursor.Value.Span.SequenceEqual(value));
            isValid = cursor.MoveNext();
        }

        Assert.False(isValid);
        isValid = tree.Count != 0 && cursor.MovePrevious();
        foreach ((byte[] key, _) in model.Reverse())
        {
            Assert.True(isValid);
            Assert.True(cursor.Key.SequenceEqual(key));
            isValid = cursor.MovePrevious();
        }
    }

    private StructureRoot RunTransaction(MemoryPageStore store, Tree tree, StructureRoot root, int operations)
    {
        var before = new SortedDictionary<byte[], byte[]>(_model, ByteOrder.Instance);
        using MemoryPageStore.Writer writer = store.BeginWrite();
        tree.Attach(writer, root);
        tree.UseRecentLeaves = _random.Next(4) != 0;
        if (_random.Next(3) == 0)
        {
            ReadAndChangeNear(tree, writer);
        }

        for (int i = 0; i < operations; i++)
        {
            Step(tree);
        }

        var report = new CheckReport();
        TreeCheck.Run(writer, tree.Root, "tree", report);
        Assert.Empty(report.Findings);
        if (_random.Next(5) == 0)
        {
            // Rolled back: nothing of it may show.
            _model = before;
            writer.Dispose();
            tree.Attach(store.BeginRead(), root);
            Compare(tree, _model);
            return root;
        }

        root = tree.Root;
        writer.Commit();
        Assert.Equal(store.NextPage - 1, report.Owners.Count + store.FreePages.Count);
        Assert.DoesNotContain(report.Owners.Keys, store.FreePages.Contains);
        _snapshots.Add(store.BeginRead(), root, new SortedDictionary<byte[], byte[]>(_model, ByteOrder.Instance));

        return root;
    }

    private void Step(Tree tree)
    {
        int choice = _random.Next(100);
        byte[] key = choice < 40 || _known.Count == 0 ? NewKey() : _known[_random.Next(_known.Count)];
        if (choice < 65)
        {
            Put(tree, key);
        }
        else if (choice < 85)
        {
            Assert.Equal(_model.Remove(key), tree.Delete(key));
        }
        else if (choice < 95)
        {
            Get(tree, key);
        }
        else if (choice < 99)
        {
            Seek(tree, key);
        }
        else
        {
            bool isNew = _random.Next(2) == 0 || _known.Count == 0;
            DeleteRange(tree, key, isNew ? NewKey() : _known[_random.Next(_known.Count)]);
        }
    }

    /// <summary>
    /// What random steps hardly meet: a leaf that is read again and again before it is changed, other leaves in
    /// between, and a change at its very ends, at the limits of the remembered range.
    /// </summary>
    private void ReadAndChangeNear(Tree tree, IPageReader pages)
    {
        for (int round = _random.Next(1, 12); round > 0 && _model.Count > 0; round--)
        {
            byte[] key = _model.Keys.ElementAt(_random.Next(_model.Count));
            byte[][] inLeaf = KeysOfLeaf(tree, pages, key);
            Get(tree, key);
            Get(tree, key);
            for (int i = _random.Next(9); i > 0; i--)
            {
                Get(tree, _model.Keys.ElementAt(_random.Next(_model.Count)));
            }

            byte[] edge = _random.Next(2) == 0 ? inLeaf[0] : inLeaf[^1];
            bool isShortened = edge.Length == TreeLimits.KeySizeBytesMax || (edge.Length > 0 && edge == inLeaf[0]);
            Put(tree, isShortened ? edge[..^1] : [.. edge, 0]);
            byte[] neighbour = inLeaf[_random.Next(inLeaf.Length)];
            Get(tree, neighbour);
            Assert.Equal(_model.Remove(neighbour), tree.Delete(neighbour));
            Array.ForEach(inLeaf, present => Get(tree, present));
        }
    }

    private static byte[][] KeysOfLeaf(Tree tree, IPageReader pages, byte[] key)
    {
        var path = default(TreePath);
        tree.Descend(key, ref path);
        TreePage leaf = TreePage.Open(pages.GetPage(path.Leaf), path.Leaf, PageKind.TreeLeaf);
        byte[][] keys = new byte[leaf.Count][];
        for (int i = 0; i < keys.Length; i++)
        {
            keys[i] = leaf.Key(i).ToArray();
        }

        return keys;
    }

    private void Get(Tree tree, byte[] key)
    {
        Assert.Equal(_model.TryGetValue(key, out byte[]? value), tree.TryGet(key, out var found));
        Assert.True(found.Span.SequenceEqual(value ?? []));
    }

    private void Put(Tree tree, byte[] key)
    {
        int length = _random.Next(20) switch
        {
            0 => _random.Next(20_000),
            1 => _random.Next(3_900, 4_200),
            2 or 3 => _random.Next(1_200),
            _ => _random.Next(40),
        };
        byte[] value = new byte[length];
        _random.NextBytes(value);
        tree.Put(key, value);
        _model[key] = value;
        _known.Add(key);
    }

    private void Seek(Tree tree, byte[] key)
    {
        byte[][] keys = [.. _model.Keys];
        int index = Array.BinarySearch(keys, key, ByteOrder.Instance);
        int atLeast = index >= 0 ? index : ~index;
        int atMost = index >= 0 ? index : ~index - 1;
        TreeCursor cursor = tree.GetCursor();
        Assert.Equal(atLeast < keys.Length, cursor.Seek(key));
        Assert.True(atLeast == keys.Length || cursor.Key.SequenceEqual(keys[atLeast]));
        Assert.Equal(atLeast > 0, cursor.MovePrevious());
        Assert.True(atLeast == 0 || cursor.Key.SequenceEqual(keys[atLeast - 1]));
        Assert.Equal(atMost >= 0, cursor.SeekAtMost(key));
        Assert.True(atMost < 0 || cursor.Key.SequenceEqual(keys[atMost]));
        Assert.Equal(index >= 0, cursor.SeekExact(key));
        byte[] prefix = key[..(key.Length / 2)];
        int expected = keys.Count(k => k.AsSpan().StartsWith(prefix));
        int count = 0;
        for (bool found = cursor.SeekPrefix(prefix); found; found = cursor.MoveNext())
        {
            count++;
        }

        Assert.Equal(expected, count);
    }

    private void DeleteRange(Tree tree, byte[] from, byte[] to)
    {
        if (_random.Next(6) == 0)
        {
            to = [.. from, 0];
        }

        bool isOpen = _random.Next(10) == 0;
        byte[][] inside =
        [
            .. _model.Keys.Where(k => ByteOrder.Instance.Compare(k, from) >= 0
                && (isOpen || ByteOrder.Instance.Compare(k, to) < 0)),
        ];
        Assert.Equal(inside.Length, isOpen ? tree.DeleteFrom(from) : tree.DeleteRange(from, to));
        foreach (byte[] key in inside)
        {
            _model.Remove(key);
        }
    }

    private byte[] NewKey()
    {
        switch (shape)
        {
            case "random":
                byte[] bytes = new byte[_random.Next(0, 24)];
                _random.NextBytes(bytes);
                return bytes;
            case "decimal":
                return Encoding.ASCII.GetBytes(
                    "users/" + _random.Next(3_000).ToString("D8", CultureInfo.InvariantCulture));
            case "long":
                byte[] many = new byte[_random.Next(900, TreeLimits.KeySizeBytesMax + 1)];
                many.AsSpan().Fill((byte)_random.Next(2));
                many[_random.Next(many.Length)] = (byte)_random.Next(3);
                many[^1] = (byte)_random.Next(256);
                return many;
            case "short":
                byte[] few = new byte[_random.Next(0, 6)];
                for (int i = 0; i < few.Length; i++)
                {
                    few[i] = (byte)(_random.Next(3) * 127);
                }

                return few;
            default:
                byte[] composite = new byte[24];
                composite[7] = (byte)_random.Next(5);
                System.Buffers.Binary.BinaryPrimitives.WriteInt64BigEndian(composite.AsSpan(8), _known.Count);
                return composite;
        }
    }
}
