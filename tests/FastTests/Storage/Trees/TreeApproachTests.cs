using System.Globalization;
using System.Text;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>Keys that are approached together and then looked for are found as each by itself.</summary>
public sealed class TreeApproachTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3_000)]
    public void A_key_is_found_in_the_leaf_of_its_approach_exactly_if_the_tree_has_it(int keys)
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new Tree();
        tree.Attach(writer, StructureRoot.Empty(StructureKind.Tree));
        for (int i = 0; i < keys; i++)
        {
            // Some values are of several pages.
            tree.Put(Key(i), i % 100 == 0 ? new byte[20_000 + i] : Key(-i));
        }

        const int together = 8;
        var leaves = new TreeLeaf[together];
        for (int start = -together; start < keys + together; start += together)
        {
            for (int i = 0; i < together; i++)
            {
                leaves[i] = tree.Approach(Key(start + (i * 37)));
            }

            for (int i = 0; i < together; i++)
            {
                byte[] key = Key(start + (i * 37));
                bool isThere = tree.TryGet(key, out NativeSlice expected);
                Assert.Equal(isThere, tree.TryGet(in leaves[i], key, out NativeSlice value));
                Assert.True(expected.Span.SequenceEqual(value.Span));
                Assert.Equal((uint)(start + (i * 37)) < (uint)keys, isThere);
            }
        }
    }

    private static byte[] Key(int number) =>
        Encoding.ASCII.GetBytes("key" + number.ToString("D6", CultureInfo.InvariantCulture));
}
