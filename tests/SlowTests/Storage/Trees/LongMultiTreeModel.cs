using System.Collections.Immutable;
using FastTests.Support;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Sets = System.Collections.Immutable.ImmutableSortedDictionary<
    byte[], System.Collections.Immutable.ImmutableSortedSet<byte[]>>;

namespace SlowTests.Storage.Trees;

/// <summary>A multi-value tree beside sorted sets, which grow into trees and shrink again.</summary>
internal sealed class LongMultiTreeModel(int seed)
    : LongModel<Sets>(seed, ImmutableSortedDictionary.Create<byte[], ImmutableSortedSet<byte[]>>(ByteOrder.Instance))
{
    private const int Keys = 40;
    private const int ValuesMax = 8_000;

    private static readonly ImmutableSortedSet<byte[]> NoValues =
        ImmutableSortedSet.Create<byte[]>(ByteOrder.Instance);

    private bool _grows = true;

    private protected override void Step(WriteTransaction transaction)
    {
        MultiTree tree = transaction.OpenOrCreateMultiTree("sets"u8);

        // Half of the operations meet two keys, so that their sets become trees.
        byte[] key = [(byte)(Random.Next(2) == 0 ? Random.Next(2) : Random.Next(Keys))];
        byte[] value = new byte[Random.Next(30) == 0 ? Random.Next(MultiTree.ValueSizeBytesMax + 1) : Random.Next(40)];
        Random.NextBytes(value.AsSpan(0, Math.Min(value.Length, 2)));
        ImmutableSortedSet<byte[]> set = State.GetValueOrDefault(key, NoValues);
        _grows = tree.Count < ValuesMax && (_grows || tree.Count < 100);
        if (Random.Next(100) < (_grows ? 65 : 30))
        {
            Assert.Equal(!set.Contains(value), tree.Add(key, value));
            State = State.SetItem(key, set.Add(value));
            return;
        }

        if (Random.Next(2_000) == 0)
        {
            Assert.Equal(set.Count, tree.RemoveAll(key));
            State = State.Remove(key);
            return;
        }

        byte[] gone = set.Count > 0 && Random.Next(4) != 0 ? set[Random.Next(set.Count)] : value;
        bool isThere = set.Contains(gone);
        Assert.Equal(isThere, tree.Contains(key, gone));
        Assert.Equal(isThere, tree.Remove(key, gone));
        set = set.Remove(gone);
        State = set.IsEmpty ? State.Remove(key) : State.SetItem(key, set);
    }

    private protected override void Compare(Sets state, ReadTransaction reader)
    {
        MultiTree? tree = reader.TryOpenMultiTree("sets"u8);
        Assert.Equal(state.Count, tree?.KeyCount ?? 0);
        Assert.Equal(state.Values.Sum(set => (long)set.Count), tree?.Count ?? 0);
        foreach ((byte[] key, ImmutableSortedSet<byte[]> set) in state)
        {
            Assert.Equal(set.Count, tree!.CountOf(key));
            MultiTreeCursor cursor = tree.GetValues(key);
            foreach (byte[] value in set)
            {
                Assert.True(cursor.MoveNext() && cursor.Value.Span.SequenceEqual(value));
            }

            Assert.False(cursor.MoveNext());
            byte[] middle = set[set.Count / 2];
            cursor = tree.GetValues(key);
            Assert.True(cursor.Seek(middle) && cursor.Value.Span.SequenceEqual(middle));
        }
    }
}
