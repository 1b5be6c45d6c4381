using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>
/// Walks the entries of a tree in key order, in both directions. It lives on the stack, allocates nothing, and is
/// invalid after its tree has changed.
/// </summary>
public ref struct TreeCursor
{
    private readonly Tree _tree;
    private ReadOnlySpan<byte> _prefix;
    private TreePath _path;
    private NativeSlice _leaf;
    private int _index;
    private int _count;
    private int _version;

    internal TreeCursor(Tree tree) => _tree = tree;

    /// <summary>Whether the cursor is on an entry.</summary>
    public readonly bool IsValid => (uint)_index < (uint)_count;

    /// <summary>The key, in the page. The cursor must be on an entry.</summary>
    public readonly ReadOnlySpan<byte> Key => Page().Key(_index);

    /// <summary>The key, in the page, as a handle that outlives the cursor (not the transaction).</summary>
    public readonly NativeSlice KeySlice
    {
        get
        {
            TreePage page = Page();
            return _leaf.Slice(TreePage.KeyOffset(page.Slot(_index)), page.Key(_index).Length);
        }
    }

    /// <summary>The value, in the page. The cursor must be on an entry.</summary>
    public readonly NativeSlice Value => _tree.ReadValue(Page(), _leaf, _index);

    /// <summary>Goes to the first entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool SeekFirst()
    {
        _prefix = default;
        return Begin() && GoToEdge(isLast: false);
    }

    /// <summary>Goes to the last entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool SeekLast()
    {
        _prefix = default;
        return Begin() && GoToEdge(isLast: true);
    }

    /// <summary>Goes to the first entry whose key is not before <paramref name="key"/>.</summary>
    /// <returns>False if there is none; <see cref="MovePrevious"/> then finds the last entry.</returns>
    public bool Seek(scoped ReadOnlySpan<byte> key)
    {
        _prefix = default;
        if (!Begin())
        {
            return false;
        }

        Find(key, out _);
        return _index < _count || NextLeaf();
    }

    /// <summary>Goes to the last entry whose key is not behind <paramref name="key"/>.</summary>
    /// <returns>False if there is none.</returns>
    public bool SeekAtMost(scoped ReadOnlySpan<byte> key)
    {
        _prefix = default;
        if (!Begin())
        {
            return false;
        }

        Find(key, out bool isExact);
        if (isExact)
        {
            return true;
        }

        _index--;
        return _index >= 0 || PreviousLeaf();
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
    public bool MoveNext()
    {
        CheckVersion();
        if (_index >= _count)
        {
            return false;
        }

        _index++;
        return (_index < _count || NextLeaf()) && (_prefix.IsEmpty || CheckPrefix());
    }

    /// <summary>Goes to the entry before.</summary>
    /// <returns>False before the first one; the cursor then stays there.</returns>
    public bool MovePrevious()
    {
        CheckVersion();
        if (_index < 0)
        {
            return false;
        }

        _index--;
        return (_index >= 0 || PreviousLeaf()) && (_prefix.IsEmpty || CheckPrefix());
    }

    private bool CheckPrefix() => Key.StartsWith(_prefix);

    private readonly TreePage Page()
    {
        CheckVersion();
        Debug.Assert(IsValid);
        return TreePage.Open(_leaf, _path.Leaf, PageKind.TreeLeaf);
    }

    private bool Begin()
    {
        _version = _tree.Version;
        _index = -1;
        _count = 0;
        _path.Branches = 0;
        return _tree.Root.RootPage != 0;
    }

    private void Find(scoped ReadOnlySpan<byte> key, out bool isExact)
    {
        _tree.Work.Searches++;
        _tree.Descend(key, ref _path);
        TreePage page = OpenLeaf();
        int index = page.Find(key, ref _tree.Work.Compares);
        isExact = index >= 0;
        _index = isExact ? index : ~index;
    }

    private TreePage OpenLeaf()
    {
        _leaf = _tree.Pages.GetPage(_path.Leaf);
        TreePage page = TreePage.Open(_leaf, _path.Leaf, PageKind.TreeLeaf);
        _count = page.Count;
        return page;
    }

    private bool GoToEdge(bool isLast)
    {
        _path.DescendToEdge<TreeBranches>(_tree.Pages, _tree.Root.Depth, 0, _tree.Root.RootPage, isLast);
        return EnterLeaf(isLast);
    }

    private bool NextLeaf() =>
        _path.TryMoveToNeighbour<TreeBranches>(_tree.Pages, _tree.Root.Depth, isForward: true)
        && EnterLeaf(isLast: false);

    private bool PreviousLeaf() =>
        _path.TryMoveToNeighbour<TreeBranches>(_tree.Pages, _tree.Root.Depth, isForward: false)
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

    private readonly void CheckVersion() =>
        Debug.Assert(_version == _tree.Version, "The tree changed under its cursor.");
}
