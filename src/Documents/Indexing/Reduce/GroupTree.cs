using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Storage.Trees;

namespace Raven.Documents.Indexing.Reduce;

// REDUCE-1  A node of level n and index i holds what the reduce makes of the nodes i*64 to i*64+63 of level n-1 that
//           exist; level 0 are results of maps, by slot. Its root, of the least height that has room for all
//           slots, is the result of the group.
// REDUCE-2  A changed slot changes the nodes above it and no others; the update ends at a node whose result
//           is unchanged.

/// <summary>
/// Keeps the partial results of each group in a tree: a change reduces height * 64 results, not the whole group.
/// </summary>
internal sealed class GroupTree(GroupReducer reducer, ReduceSink results)
{
    private readonly GroupReducer _reducer = reducer;
    private readonly ReduceSink _results = results;
    private readonly List<BlittableObject> _items = [];
    private readonly ArrayBufferWriter<byte> _value = new(4096);

    /// <summary>How many results the reduce ran over since the tree was made.</summary>
    internal long ReducedCount { get; private set; }

    /// <summary>The last exception of the reduce.</summary>
    internal Exception? Failure { get; private set; }

    /// <summary>Brings the tree up to date.</summary>
    /// <param name="tables">The structures of the tree.</param>
    /// <param name="group">The group. It must have results.</param>
    /// <param name="nextSlot">The next free slot: all slots of the group are below.</param>
    /// <param name="slots">The slots that changed, sorted.</param>
    /// <returns>False if the root is unchanged; otherwise its results are in the sink, none if the
    /// reduce failed.</returns>
    internal bool Update(ReduceTables tables, long group, long nextSlot, IEnumerable<long> slots)
    {
        Failure = null;
        int height = HeightOf(nextSlot);
        List<long> nodes = Above(slots);
        for (int level = 1; level <= height; level++)
        {
            List<long> changed = [];
            foreach (long node in nodes)
            {
                if (Recompute(tables, group, level, node))
                {
                    changed.Add(node);
                }
            }

            if (changed.Count == 0)
            {
                return false;
            }

            nodes = level < height ? Above(changed) : changed;
        }

        return true;
    }

    internal static int HeightOf(long nextSlot)
    {
        int height = 1;
        for (long room = ReduceTables.FanOut; room < nextSlot; room *= ReduceTables.FanOut)
        {
            height++;
        }

        return height;
    }

    private static List<long> Above(IEnumerable<long> nodes)
    {
        List<long> above = [];
        foreach (long node in nodes)
        {
            long parent = node / ReduceTables.FanOut;
            if (above.Count == 0 || above[^1] != parent)
            {
                above.Add(parent);
            }
        }

        return above;
    }

    /// <summary>Reduces the children of a node; false if its result is unchanged.</summary>
    private bool Recompute(ReduceTables tables, long group, int level, long node)
    {
        _results.Clear();
        _value.ResetWrittenCount();
        bool isWhole = ReadChildren(tables, group, level, node);
        if (isWhole && _items.Count == 0)
        {
            return tables.DeleteNode(group, level, node);
        }

        if (isWhole && TryReduce())
        {
            NodeValue.Write(_value, _results.Entries);
        }
        else
        {
            _results.Clear();
            NodeValue.WriteFailed(_value);
        }

        if (tables.TryGetNode(group, level, node, out NativeSlice former)
            && former.Span.SequenceEqual(_value.WrittenSpan))
        {
            return false;
        }

        tables.PutNode(group, level, node, _value.WrittenSpan);
        return true;
    }

    /// <summary>Reads the children of a node; false if the reduce has failed on one of them.</summary>
    private bool ReadChildren(ReduceTables tables, long group, int level, long node)
    {
        _items.Clear();
        Span<byte> from = stackalloc byte[ReduceTables.NodeKeySize];
        Span<byte> to = stackalloc byte[ReduceTables.NodeKeySize];
        ReduceTables.WriteNodeKey(from, group, level - 1, node * ReduceTables.FanOut);
        ReduceTables.WriteNodeKey(to, group, level - 1, (node + 1) * ReduceTables.FanOut);
        TreeCursor cursor = tables.Nodes.GetCursor();
        bool isWhole = true;
        for (bool more = cursor.Seek(from); more && cursor.Key.SequenceCompareTo(to) < 0; more = cursor.MoveNext())
        {
            if (level == 1)
            {
                _items.Add(BlittableObject.Open(cursor.Value));
            }
            else
            {
                isWhole &= NodeValue.TryRead(cursor.Value, _items);
            }
        }

        return isWhole;
    }

    [SuppressMessage(
        "Design", "CA1031:Do not catch general exception types",
        Justification = "A reduce may throw anything; it is the group's error, and the others go on.")]
    private bool TryReduce()
    {
        try
        {
            ReducedCount += _items.Count;
            _reducer.Reduce(_items, _results);
            return true;
        }
        catch (Exception exception)
        {
            Failure = exception;
            return false;
        }
    }
}
