using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>
/// Walks the entries of a tree in key order, in both directions. It lives on the stack, allocates nothing, and is
/// invalid after its tree has changed.
/// </summary>
public ref struct TreeCursor
{
    private TreePosition<TreeLeaves, TreePage> _at;
    private ReadOnlySpan<byte> _prefix;

    internal TreeCursor(Tree tree) => _at.Leaves = new TreeLeaves(tree);

    /// <summary>Whether the cursor is on an entry.</summary>
    public readonly bool IsValid => _at.IsValid;

    /// <summary>The key, in the page. The cursor must be on an entry.</summary>
    public readonly ReadOnlySpan<byte> Key => Page().Key(_at.Index);

    /// <summary>The key, in the page, as a handle that outlives the cursor (not the transaction).</summary>
    public readonly NativeSlice KeySlice
    {
        get
        {
            TreePage page = Page();
            return _at.Leaf.Slice(TreePage.KeyOffset(page.Slot(_at.Index)), page.Key(_at.Index).Length);
        }
    }

    /// <summary>The value, in the page. The cursor must be on an entry.</summary>
    public readonly NativeSlice Value => _at.Leaves.Tree.ReadValue(Page(), _at.Leaf, _at.Index);

    /// <summary>Goes to the first entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool SeekFirst()
    {
        _prefix = default;
        return _at.SeekFirst();
    }

    /// <summary>Goes to the last entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool SeekLast()
    {
        _prefix = default;
        return _at.SeekLast();
    }

    /// <summary>Goes to the first entry whose key is not before <paramref name="key"/>.</summary>
    /// <returns>False if there is none; <see cref="MovePrevious"/> then finds the last entry.</returns>
    public bool Seek(scoped ReadOnlySpan<byte> key)
    {
        _prefix = default;
        return _at.Begin() && _at.MoveToOrBehind(Find(key));
    }

    /// <summary>Goes to the last entry whose key is not behind <paramref name="key"/>.</summary>
    /// <returns>False if there is none.</returns>
    public bool SeekAtMost(scoped ReadOnlySpan<byte> key)
    {
        _prefix = default;
        return _at.Begin() && _at.MoveToOrBefore(Find(key));
    }

    /// <summary>Goes to the entry with this key.</summary>
    /// <returns>False if there is none; the cursor is then where <see cref="Seek"/> would put it.</returns>
    public bool SeekExact(scoped ReadOnlySpan<byte> key) => Seek(key) && Key.SequenceEqual(key);

    /// <summary>
    /// Goes to the first entry whose key starts with <paramref name="prefix"/>; moves then stay among those.
    /// </summary>
    /// <returns>False if there is none.</returns>
    public bool SeekPrefix(ReadOnlySpan<byte> prefix)
    {
        bool found = Seek(prefix);
        _prefix = prefix;
        return found && CheckPrefix();
    }

    /// <summary>Goes to the next entry.</summary>
    /// <returns>False behind the last one; the cursor then stays there.</returns>
    public bool MoveNext() => _at.MoveNext() && (_prefix.IsEmpty || CheckPrefix());

    /// <summary>Goes to the entry before.</summary>
    /// <returns>False before the first one; the cursor then stays there.</returns>
    public bool MovePrevious() => _at.MovePrevious() && (_prefix.IsEmpty || CheckPrefix());

    private readonly bool CheckPrefix() => Key.StartsWith(_prefix);

    private readonly TreePage Page()
    {
        _at.Check();
        return TreePage.Open(_at.Leaf, _at.Path.Leaf, PageKind.TreeLeaf);
    }

    private int Find(scoped ReadOnlySpan<byte> key)
    {
        Tree tree = _at.Leaves.Tree;
        tree.Counters.Searches++;
        tree.Descend(key, ref _at.Path);
        return _at.OpenLeaf().Find(key, ref tree.Counters.Compares);
    }
}
