using System.Runtime.InteropServices;
using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>
/// Walks the entries of a <see cref="FixedTree"/> in key order, in both directions. It lives on the stack, allocates
/// nothing, and is invalid after its tree has changed.
/// </summary>
public ref struct FixedTreeCursor
{
    private TreePosition<FixedTreeLeaves, FixedPage> _at;

    internal FixedTreeCursor(FixedTree tree) => _at.Leaves = new FixedTreeLeaves(tree);

    /// <summary>Whether the cursor is on an entry.</summary>
    public readonly bool IsValid => _at.IsValid;

    /// <summary>The key. The cursor must be on an entry.</summary>
    public readonly long Key
    {
        get
        {
            _at.Check();
            return MemoryMarshal.Read<long>(_at.Leaf.Span[(FixedPage.HeaderSize + (FixedPage.KeySize * _at.Index))..]);
        }
    }

    /// <summary>The value, in the page. The cursor must be on an entry.</summary>
    public readonly NativeSlice Value
    {
        get
        {
            _at.Check();
            FixedTree tree = _at.Leaves.Tree;
            int size = tree.ValueSizeBytes;
            return _at.Leaf.Slice(FixedPage.ValueOffset(_at.Index, size, tree.Capacity), size);
        }
    }

    /// <summary>The value of a tree with 8-byte values.</summary>
    public readonly long Int64Value => MemoryMarshal.Read<long>(Value.Span);

    /// <summary>Goes to the first entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool SeekFirst() => _at.SeekFirst();

    /// <summary>Goes to the last entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool SeekLast() => _at.SeekLast();

    /// <summary>Goes to the first entry whose key is at least <paramref name="key"/>.</summary>
    /// <returns>False if there is none; <see cref="MovePrevious"/> then finds the last entry.</returns>
    public bool Seek(long key) => _at.Begin() && _at.MoveToOrBehind(Find(key));

    /// <summary>Goes to the last entry whose key is at most <paramref name="key"/>.</summary>
    /// <returns>False if there is none.</returns>
    public bool SeekAtMost(long key) => _at.Begin() && _at.MoveToOrBefore(Find(key));

    /// <summary>Goes to the next entry.</summary>
    /// <returns>False behind the last one; the cursor then stays there.</returns>
    public bool MoveNext() => _at.MoveNext();

    /// <summary>Goes to the entry before.</summary>
    /// <returns>False before the first one; the cursor then stays there.</returns>
    public bool MovePrevious() => _at.MovePrevious();

    private int Find(long key)
    {
        FixedTree tree = _at.Leaves.Tree;
        tree.Counters.Searches++;
        tree.Descend(key, ref _at.Path, out _, out _);
        return _at.OpenLeaf().Find(key, ref tree.Counters.Compares);
    }
}
