using FastTests.Support;
using FsCheck;
using FsCheck.Fluent;
using Raven.Storage.Checks;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>Any list of operations, found by FsCheck and shrunk to the shortest that fails.</summary>
[Trait(Proof.Row, Proof.Models)]
public sealed class TreePropertyTests
{
    [Fact]
    public void Any_list_of_operations_leaves_a_tree_equal_to_a_sorted_dictionary() =>
        Prop.ForAll<(byte Kind, byte Key, ushort Length)[]>(TreeHolds)
            .Check(Config.QuickThrowOnFailure.WithMaxTest(150).WithEndSize(200));

    [Fact]
    public void Any_list_of_operations_leaves_a_fixed_tree_equal_to_a_sorted_dictionary() =>
        Prop.ForAll<(byte Kind, short Key, byte Run)[]>(FixedTreeHolds)
            .Check(Config.QuickThrowOnFailure.WithMaxTest(150).WithEndSize(200));

    private static bool TreeHolds((byte Kind, byte Key, ushort Length)[] operations)
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new Tree();
        tree.AttachNew(writer);
        var model = new SortedDictionary<byte[], byte[]>(ByteOrder.Instance);
        bool holds = true;
        foreach ((byte kind, byte number, ushort length) in operations)
        {
            // Few keys of very different lengths: replaced, deleted and put again, in shared pages.
            byte[] key = new byte[(number * 7) % 200];
            key.AsSpan().Fill((byte)(number % 3));
            key = [.. key, number];
            switch (kind % 8)
            {
                case < 5:
                    byte[] value = new byte[kind % 2 == 0 ? length % 6_000 : length % 300];
                    value.AsSpan().Fill(kind);
                    tree.Put(key, value);
                    model[key] = value;
                    break;
                case < 7:
                    holds &= model.Remove(key) == tree.Delete(key);
                    break;
                default:
                    byte[] to = [.. key, 1];
                    byte[][] gone = [.. model.Keys.Where(k =>
                        ByteOrder.Instance.Compare(k, key) >= 0 && ByteOrder.Instance.Compare(k, to) < 0)];
                    holds &= gone.Length == tree.DeleteRange(key, to);
                    Array.ForEach(gone, k => model.Remove(k));
                    break;
            }
        }

        TreeModel.Compare(tree, model);
        var report = new CheckReport();
        TreeCheck.Run(writer, tree.Root, "tree", report);
        return holds && report.Findings.Count == 0;
    }

    private static bool FixedTreeHolds((byte Kind, short Key, byte Run)[] operations)
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new FixedTree(newValueSize: 100);
        tree.AttachNew(writer);
        var model = new SortedSet<long>();
        bool holds = true;
        byte[] value = new byte[100];
        foreach ((byte kind, short key, byte run) in operations)
        {
            switch (kind % 4)
            {
                case < 2:
                    for (long k = key; k < key + run; k++)
                    {
                        holds &= model.Add(k) == tree.Put(k, value);
                    }

                    break;
                case 2:
                    holds &= model.Remove(key) == tree.Delete(key);
                    break;
                default:
                    holds &= model.RemoveWhere(k => k >= key && k <= key + run) == tree.DeleteRange(key, key + run);
                    break;
            }
        }

        var found = new List<long>();
        FixedTreeCursor cursor = tree.GetCursor();
        for (bool any = cursor.SeekFirst(); any; any = cursor.MoveNext())
        {
            found.Add(cursor.Key);
        }

        var report = new CheckReport();
        FixedTreeCheck.Run(writer, tree.Root, "tree", report);
        return holds && report.Findings.Count == 0 && found.SequenceEqual(model);
    }
}
