using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>Walks one tree and compares every page with what docs/formats/tree.md says of it.</summary>
internal readonly struct TreeCheck : ICheckedTree<KeyBounds>
{
    private readonly StructureCheck _check;
    private readonly TreeWalk _walk;
    private readonly string _name;
    private readonly EntryRole _role;

    private TreeCheck(StructureCheck check, string name, EntryRole role)
    {
        _check = check;
        _walk = new TreeWalk(check, name);
        _name = name;
        _role = role;
    }

    /// <summary>Checks a tree that is no part of another structure, and claims its pages.</summary>
    internal static void Run(IPageReader pages, in StructureRoot root, string name, CheckReport report) =>
        report.Entries += Run(new StructureCheck(report) { Pages = pages }, root, name, 0, EntryRole.Plain).Entries;

    /// <summary>Checks a tree, and claims its pages.</summary>
    /// <param name="check">The check of the whole state.</param>
    /// <param name="root">The tree's root record.</param>
    /// <param name="name">The name of the tree in findings.</param>
    /// <param name="holder">The page that holds the root record.</param>
    /// <param name="role">What its entries are to the structure that the tree is a part of.</param>
    internal static CheckTotals Run(
        StructureCheck check, in StructureRoot root, string name, long holder, EntryRole role)
    {
        var tree = new TreeCheck(check, name, role);
        CheckTotals totals = tree._walk.Run<TreeCheck, KeyBounds>(tree, root, holder, default);
        check.Expect(name, root.OverflowPages, totals.OverflowPages, "overflow pages");
        return totals;
    }

    public void CheckLeaf(NativeSlice memory, long number, in KeyBounds bounds, ref CheckTotals own)
    {
        var page = TreePage.Open(memory, number, PageKind.TreeLeaf);
        CheckPage(page, number, bounds);
        CheckEntries(page, memory, number, ref own);
    }

    public void CheckBranch(
        NativeSlice memory, long number, int levelsBelow, in KeyBounds bounds, ref CheckTotals own)
    {
        var page = TreePage.OpenBranch(memory, number);
        CheckPage(page, number, bounds);
        WalkChildren(page, number, levelsBelow - 1, bounds, ref own);
    }

    private void WalkChildren(TreePage page, long number, int levelsBelow, KeyBounds rest, ref CheckTotals own)
    {
        for (int child = 0; child < page.Count; child++)
        {
            KeyBounds before = rest.Before(page.Key(child));
            _walk.Walk(this, page.Child(child), number, levelsBelow, before, ref own);
            rest = rest.Behind(before);
        }

        _walk.Walk(this, page.Child(page.Count), number, levelsBelow, rest, ref own);
    }

    private void CheckPage(TreePage page, long number, in KeyBounds bounds)
    {
        int count = page.Count;
        int heap = 0;
        ReadOnlySpan<byte> previous = default;
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> key = page.Key(i);
            heap += page.EntrySize(i);
            if (i != 0 && KeyOrder.Compare(previous, key) >= 0)
            {
                _walk.Find(number, $"has keys {i - 1} and {i} in the wrong order");
            }

            if (key.Length < page.PrefixLength
                || !key.StartsWith(page.Key(0)[..Math.Min(page.Key(0).Length, page.PrefixLength)])
                || page.HeadOf(key) != (uint)(page.Slot(i) >> 32))
            {
                _walk.Find(number, $"has a wrong prefix or head for key {i}");
            }

            if (TreePage.KeyOffset(page.Slot(i)) < page.Upper)
            {
                _walk.Find(number, $"has key {i} outside of its heap");
            }

            previous = key;
        }

        if (heap + page.Garbage != TreePage.Size - page.Upper)
        {
            _walk.Find(number, $"has {heap} bytes of entries and {page.Garbage} of garbage behind {page.Upper}");
        }

        if (count != 0)
        {
            CheckRange(page, number, bounds);
        }
        else if (page.IsLeaf)
        {
            _walk.Find(number, "is an empty leaf");
        }
    }

    private void CheckRange(TreePage page, long number, in KeyBounds bounds)
    {
        int shown = Math.Min(page.PrefixLength, TreePage.InlinePrefixSize);
        if (!page.Key(0).StartsWith(page.Bytes.Slice(48, shown)))
        {
            _walk.Find(number, "shows another prefix than its keys have");
        }

        if (KeyOrder.Compare(page.Key(0), bounds.Low) < 0)
        {
            _walk.Find(number, "starts before its separator");
        }

        if (bounds.HasHigh && KeyOrder.Compare(page.Key(page.Count - 1), bounds.High) >= 0)
        {
            _walk.Find(number, "ends behind the next separator");
        }
    }

    private void CheckEntries(TreePage page, NativeSlice memory, long number, ref CheckTotals own)
    {
        own.Entries = page.Count;
        for (int i = 0; i < page.Count; i++)
        {
            ushort header = page.ValueHeader(i, out int offset);
            bool isRun = (header & TreePage.OverflowFlag) != 0;
            if (!isRun && _role == EntryRole.Plain)
            {
                continue;
            }

            NativeSlice value = isRun
                ? _check.CheckRun(page.OverflowPage(offset, out int length), length, number, _name, ref own)
                : memory.Slice(offset, header);
            if (_role != EntryRole.Plain)
            {
                _check.Visit(_role, _name, number, page.Key(i), value, ref own);
            }
        }
    }
}
