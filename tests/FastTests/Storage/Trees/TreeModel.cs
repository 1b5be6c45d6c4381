using System.Globalization;
using System.Text;
using FastTests.Support;
using Raven.Storage.Checks;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>Random transactions on a tree and on a sorted dictionary.</summary>
internal sealed class TreeModel(int seed, string shape)
    : SortedTreeModel<Tree, SortedDictionary<byte[], byte[]>>(seed, $"new TreeModel({seed}, \"{shape}\")")
{
    private readonly List<byte[]> _known = [];

    private protected override SortedDictionary<byte[], byte[]> Model { get; set; } = new(ByteOrder.Instance);

    private protected override StructureRoot EmptyRoot => StructureRoot.Empty(StructureKind.Tree);

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

    private protected override Tree NewTree() => new();

    private protected override SortedDictionary<byte[], byte[]> Copy(SortedDictionary<byte[], byte[]> model) =>
        new(model, ByteOrder.Instance);

    private protected override void UseRecentLeaves(Tree tree, bool doesUse) => tree.UseRecentLeaves = doesUse;

    private protected override void ReadAll(Tree tree, SortedDictionary<byte[], byte[]> model) =>
        Compare(tree, model);

    private protected override void Check(IPageReader pages, Tree tree, CheckReport report) =>
        TreeCheck.Run(pages, tree.Root, "tree", report);

    private protected override void Begin(Tree tree, IPageReader pages)
    {
        if (Random.Next(3) == 0)
        {
            ReadAndChangeNear(tree, pages);
        }
    }

    private protected override void Step(Tree tree)
    {
        int choice = Random.Next(100);
        byte[] key = choice < 40 || _known.Count == 0 ? NewKey() : _known[Random.Next(_known.Count)];
        if (choice < 65)
        {
            Put(tree, key);
        }
        else if (choice < 85)
        {
            Assert.Equal(Model.Remove(key), tree.Delete(key));
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
            bool isNew = Random.Next(2) == 0 || _known.Count == 0;
            DeleteRange(tree, key, isNew ? NewKey() : _known[Random.Next(_known.Count)]);
        }
    }

    /// <summary>
    /// What random steps hardly meet: a leaf that is read again and again before it is changed, other leaves in
    /// between, and a change at its very ends, at the limits of the remembered range.
    /// </summary>
    private void ReadAndChangeNear(Tree tree, IPageReader pages)
    {
        for (int round = Random.Next(1, 12); round > 0 && Model.Count > 0; round--)
        {
            byte[] key = Model.Keys.ElementAt(Random.Next(Model.Count));
            byte[][] inLeaf = KeysOfLeaf(tree, pages, key);
            Get(tree, key);
            Get(tree, key);
            for (int i = Random.Next(9); i > 0; i--)
            {
                Get(tree, Model.Keys.ElementAt(Random.Next(Model.Count)));
            }

            byte[] edge = Random.Next(2) == 0 ? inLeaf[0] : inLeaf[^1];
            bool isShortened = edge.Length == TreeLimits.KeySizeBytesMax || (edge.Length > 0 && edge == inLeaf[0]);
            Put(tree, isShortened ? edge[..^1] : [.. edge, 0]);
            byte[] neighbour = inLeaf[Random.Next(inLeaf.Length)];
            Get(tree, neighbour);
            Assert.Equal(Model.Remove(neighbour), tree.Delete(neighbour));
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
        Assert.Equal(Model.TryGetValue(key, out byte[]? value), tree.TryGet(key, out var found));
        Assert.True(found.Span.SequenceEqual(value ?? []));
    }

    private void Put(Tree tree, byte[] key)
    {
        int length = Random.Next(20) switch
        {
            0 => Random.Next(20_000),
            1 => Random.Next(3_900, 4_200),
            2 or 3 => Random.Next(1_200),
            _ => Random.Next(40),
        };
        byte[] value = new byte[length];
        Random.NextBytes(value);
        tree.Put(key, value);
        Model[key] = value;
        _known.Add(key);
    }

    private void Seek(Tree tree, byte[] key)
    {
        byte[][] keys = [.. Model.Keys];
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
        if (Random.Next(6) == 0)
        {
            to = [.. from, 0];
        }

        bool isOpen = Random.Next(10) == 0;
        byte[][] inside =
        [
            .. Model.Keys.Where(k => ByteOrder.Instance.Compare(k, from) >= 0
                && (isOpen || ByteOrder.Instance.Compare(k, to) < 0)),
        ];
        Assert.Equal(inside.Length, isOpen ? tree.DeleteFrom(from) : tree.DeleteRange(from, to));
        foreach (byte[] key in inside)
        {
            Model.Remove(key);
        }
    }

    private byte[] NewKey()
    {
        switch (shape)
        {
            case "random":
                byte[] bytes = new byte[Random.Next(0, 24)];
                Random.NextBytes(bytes);
                return bytes;
            case "decimal":
                return Encoding.ASCII.GetBytes(
                    "users/" + Random.Next(3_000).ToString("D8", CultureInfo.InvariantCulture));
            case "long":
                byte[] many = new byte[Random.Next(900, TreeLimits.KeySizeBytesMax + 1)];
                many.AsSpan().Fill((byte)Random.Next(2));
                many[Random.Next(many.Length)] = (byte)Random.Next(3);
                many[^1] = (byte)Random.Next(256);
                return many;
            case "short":
                byte[] few = new byte[Random.Next(0, 6)];
                for (int i = 0; i < few.Length; i++)
                {
                    few[i] = (byte)(Random.Next(3) * 127);
                }

                return few;
            default:
                byte[] composite = new byte[24];
                composite[7] = (byte)Random.Next(5);
                System.Buffers.Binary.BinaryPrimitives.WriteInt64BigEndian(composite.AsSpan(8), _known.Count);
                return composite;
        }
    }
}
