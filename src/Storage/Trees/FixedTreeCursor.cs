using System.Diagnostics;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>
/// Walks the entries of a <see cref="FixedTree"/> in key order, in both directions. It lives on the stack, allocates
/// nothing, and is invalid after its tree has changed.
/// </summary>
public ref struct FixedTreeCursor
{
    private readonly FixedTree _tree;
    private TreePath _path;
    private NativeSlice _leaf;
    private int _index;
    private int _count;
    private int _version;

    internal FixedTreeCursor(FixedTree tree) => _tree = tree;

    /// <summary>Whether the cursor is on an entry.</summary>
    public readonly bool IsValid => (uint)_index < (uint)_count;

    /// <summary>The key. The cursor must be on an entry.</summary>
    public readonly long Key
    {
        get
        {
            Check();
            return MemoryMarshal.Read<long>(_leaf.Span[(FixedPage.HeaderSize + (FixedPage.KeySize * _index))..]);
        }
    }

    /// <summary>The value, in the page. The cursor must be on an entry.</summary>
    public readonly NativeSlice Value
    {
        get
        {
            Check();
            int size = _tree.ValueSizeBytes;
            return _leaf.Slice(FixedPage.ValueOffset(_index, size, _tree.Capacity), size);
        }
    }

    /// <summary>The value of a tree with 8-byte values.</summary>
    public readonly long Int64Value => MemoryMarshal.Read<long>(Value.Span);

    /// <summary>Goes to the first entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool SeekFirst() => Begin() && GoToEdge(isLast: false);

    /// <summary>Goes to the last entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool SeekLast() => Begin() && GoToEdge(isLast: true);

    /// <summary>Goes to the first entry whose key is at least <paramref name="key"/>.</summary>
    /// <returns>False if there is none; <see cref="MovePrevious"/> then finds the last entry.</returns>
    public bool Seek(long key)
    {
        if (!Begin())
        {
            return false;
        }

        int index = Find(key);
        _index = index >= 0 ? index : ~index;
        return _index < _count || NextLeaf();
    }

    /// <summary>Goes to the last entry whose key is at most <paramref name="key"/>.</summary>
    /// <returns>False if there is none.</returns>
    public bool SeekAtMost(long key)
    {
        if (!Begin())
        {
            return false;
        }

        int index = Find(key);
        _index = index >= 0 ? index : ~index - 1;
        return _index >= 0 || PreviousLeaf();
    }

    /// <summary>Goes to the next entry.</summary>
    /// <returns>False behind the last one; the cursor then stays there.</returns>
    public bool MoveNext()
    {
        CheckVersion();
        return _index < _count && (++_index < _count || NextLeaf());
    }

    /// <summary>Goes to the entry before.</summary>
    /// <returns>False before the first one; the cursor then stays there.</returns>
    public bool MovePrevious()
    {
        CheckVersion();
        return _index >= 0 && (--_index >= 0 || PreviousLeaf());
    }

    private bool Begin()
    {
        _version = _tree.Version;
        _index = -1;
        _count = 0;
        _path.Branches = 0;
        return _tree.Root.RootPage != 0;
    }

    private int Find(long key)
    {
        _tree.Work.Searches++;
        _tree.Descend(key, ref _path, out _, out _);
        return OpenLeaf().Find(key, ref _tree.Work.Compares);
    }

    private FixedPage OpenLeaf()
    {
        _leaf = _tree.Pages.GetPage(_path.Leaf);
        FixedPage page = _tree.OpenLeaf(_leaf, _path.Leaf);
        _count = page.Count;
        return page;
    }

    private bool GoToEdge(bool isLast)
    {
        _path.DescendToEdge<FixedTreeBranches>(_tree.Pages, _tree.Root.Depth, 0, _tree.Root.RootPage, isLast);
        return EnterLeaf(isLast);
    }

    private bool NextLeaf() =>
        _path.TryMoveToNeighbour<FixedTreeBranches>(_tree.Pages, _tree.Root.Depth, isForward: true)
        && EnterLeaf(isLast: false);

    private bool PreviousLeaf() =>
        _path.TryMoveToNeighbour<FixedTreeBranches>(_tree.Pages, _tree.Root.Depth, isForward: false)
        && EnterLeaf(isLast: true);

    private bool EnterLeaf(bool isLast)
    {
        OpenLeaf();
        _index = isLast ? _count - 1 : 0;
        if (_count == 0)
        {
            Damage.Throw(_path.Leaf, "is an empty leaf");
        }

        return true;
    }

    private readonly void Check()
    {
        CheckVersion();
        Debug.Assert(IsValid);
    }

    private readonly void CheckVersion() =>
        Debug.Assert(_version == _tree.Version, "The tree changed under its cursor.");
}
