using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>Walks one tree and compares every page with what docs/formats/tree.md says of it.</summary>
internal sealed class TreeCheck
{
    private readonly IPageReader _pages;
    private readonly string _name;
    private readonly CheckReport _report;
    private readonly EntryVisitor? _visitor;
    private byte[]? _previousKey;
    private long _count;
    private long _leaves;
    private long _branches;
    private long _overflow;

    /// <summary>Called for every entry.</summary>
    internal delegate void EntryVisitor(ReadOnlySpan<byte> key, NativeSlice value);

    private TreeCheck(IPageReader pages, string name, CheckReport report, EntryVisitor? visitor)
    {
        _pages = pages;
        _name = name;
        _report = report;
        _visitor = visitor;
    }

    /// <summary>Checks a tree, and claims its pages.</summary>
    internal static void Run(
        IPageReader pages, in StructureRoot root, string name, CheckReport report, EntryVisitor? visitor = null)
    {
        var check = new TreeCheck(pages, name, report, visitor);
        if (root.RootPage != 0)
        {
            check.Walk(root.RootPage, root.Depth - 1, null, null);
        }

        check.Expect(root.Count, check._count, "entries");
        check.Expect(root.LeafPages, check._leaves, "leaves");
        check.Expect(root.BranchPages, check._branches, "branches");
        check.Expect(root.OverflowPages, check._overflow, "overflow pages");
        report.Entries += check._count;
    }

    private void Walk(long number, int levelsBelow, byte[]? low, byte[]? high)
    {
        if (!_report.Own(number, 1, _name))
        {
            return;
        }

        NativeSlice memory = _pages.GetPage(number);
        PageKind kind = levelsBelow == 0 ? PageKind.TreeLeaf : PageKind.TreeBranch;
        TreePage page = TreePage.Open(memory, number, kind);
        CheckPage(page, number, low, high);
        if (kind == PageKind.TreeLeaf)
        {
            _leaves++;
            CheckEntries(page, memory, number);
            return;
        }

        _branches++;
        for (int child = 0; child <= page.Count; child++)
        {
            byte[]? childLow = child == 0 ? low : page.Key(child - 1).ToArray();
            byte[]? childHigh = child == page.Count ? high : page.Key(child).ToArray();
            Walk(page.Child(child), levelsBelow - 1, childLow, childHigh);
        }
    }

    private void CheckPage(TreePage page, long number, byte[]? low, byte[]? high)
    {
        int count = page.Count;
        if (page.Number != number)
        {
            Find(number, $"says it is page {page.Number}");
        }

        int heap = 0;
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> key = page.Key(i);
            heap += page.EntrySize(i);
            if (i != 0 && KeyOrder.Compare(page.Key(i - 1), key) >= 0)
            {
                Find(number, $"has keys {i - 1} and {i} in the wrong order");
            }

            if (key.Length < page.PrefixLength
                || key.CommonPrefixLength(page.Key(0)) < page.PrefixLength
                || page.HeadOf(key) != (uint)(page.Slot(i) >> 32))
            {
                Find(number, $"has a wrong prefix or head for key {i}");
            }

            if (TreePage.KeyOffset(page.Slot(i)) < page.Upper)
            {
                Find(number, $"has key {i} outside of its heap");
            }
        }

        if (heap + page.Garbage != TreePage.Size - page.Upper)
        {
            Find(number, $"has {heap} bytes of entries and {page.Garbage} of garbage behind {page.Upper}");
        }

        if (count != 0)
        {
            CheckRange(page, number, low, high);
        }
        else if (page.IsLeaf)
        {
            Find(number, "is an empty leaf");
        }
    }

    private void CheckRange(TreePage page, long number, byte[]? low, byte[]? high)
    {
        int shown = Math.Min(page.PrefixLength, TreePage.InlinePrefixSize);
        if (!page.Key(0).StartsWith(page.Bytes.Slice(48, shown)))
        {
            Find(number, "shows another prefix than its keys have");
        }

        if (low is not null && KeyOrder.Compare(page.Key(0), low) < 0)
        {
            Find(number, "starts before its separator");
        }

        if (high is not null && KeyOrder.Compare(page.Key(page.Count - 1), high) >= 0)
        {
            Find(number, "ends behind the next separator");
        }
    }

    private void CheckEntries(TreePage page, NativeSlice memory, long number)
    {
        for (int i = 0; i < page.Count; i++)
        {
            ReadOnlySpan<byte> key = page.Key(i);
            if (_previousKey is not null && KeyOrder.Compare(_previousKey, key) >= 0)
            {
                Find(number, $"has key {i} before the last key of the leaf before it");
            }

            _previousKey = i == page.Count - 1 ? key.ToArray() : null;
            _count++;
            ushort header = page.ValueHeader(i, out int offset);
            NativeSlice value;
            if ((header & TreePage.OverflowFlag) != 0)
            {
                long run = page.OverflowPage(offset, out int length);
                int pages = PageHeader.PagesForRun(length);
                _overflow += pages;
                _report.Own(run, pages, _name);
                value = OverflowRun.Read(_pages, run, length);
            }
            else
            {
                value = memory.Slice(offset, header);
            }

            _visitor?.Invoke(key, value);
        }
    }

    private void Expect(long kept, long counted, string what)
    {
        if (kept != counted)
        {
            _report.Find($"{_name}: the root record says {kept} {what}, there are {counted}");
        }
    }

    private void Find(long number, string finding) => _report.Find($"{_name}: page {number} {finding}");
}
