using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>Walks one fixed tree and compares every page with what docs/formats/tree.md says of it.</summary>
internal sealed class FixedTreeCheck
{
    private readonly IPageReader _pages;
    private readonly int _valueSize;
    private readonly int _capacity;
    private readonly string _name;
    private readonly CheckReport _report;
    private readonly EntryVisitor? _visitor;
    private long _count;
    private long _leaves;
    private long _branches;

    private FixedTreeCheck(IPageReader pages, int valueSize, string name, CheckReport report, EntryVisitor? visitor)
    {
        _pages = pages;
        _valueSize = valueSize;
        _capacity = FixedPage.LeafCapacity(valueSize);
        _name = name;
        _report = report;
        _visitor = visitor;
    }

    /// <summary>Called for every entry.</summary>
    internal delegate void EntryVisitor(long key, NativeSlice value);

    /// <summary>Checks a tree, and claims its pages.</summary>
    internal static void Run(
        IPageReader pages, in StructureRoot root, string name, CheckReport report, EntryVisitor? visitor = null)
    {
        var check = new FixedTreeCheck(pages, root.ValueSize, name, report, visitor);
        if (root.RootPage != 0)
        {
            check.Walk(root.RootPage, root.Depth - 1, long.MinValue, long.MaxValue);
        }

        check.Expect(root.Count, check._count, "entries");
        check.Expect(root.LeafPages, check._leaves, "leaves");
        check.Expect(root.BranchPages, check._branches, "branches");
        report.Entries += check._count;
    }

    private void Walk(long number, int levelsBelow, long low, long high)
    {
        if (!_report.Own(number, 1, _name))
        {
            return;
        }

        NativeSlice memory = _pages.GetPage(number);
        FixedPage page = levelsBelow == 0
            ? FixedPage.OpenLeaf(memory, number, _valueSize, _capacity)
            : FixedPage.OpenBranch(memory, number);
        CheckKeys(page, number, low, high);
        if (levelsBelow == 0)
        {
            VisitLeaf(page, memory, number);
            return;
        }

        _branches++;
        for (int child = 0; child <= page.Count; child++)
        {
            Walk(
                page.Child(child),
                levelsBelow - 1,
                child == 0 ? low : page.Key(child - 1),
                child == page.Count ? high : page.Key(child) - 1);
        }
    }

    private void VisitLeaf(FixedPage page, NativeSlice memory, long number)
    {
        _leaves++;
        _count += page.Count;
        if (page.Count == 0)
        {
            Find(number, "is an empty leaf");
        }

        for (int i = 0; i < page.Count && _visitor is not null; i++)
        {
            _visitor(page.Key(i), memory.Slice(FixedPage.ValueOffset(i, _valueSize, _capacity), _valueSize));
        }
    }

    private void CheckKeys(FixedPage page, long number, long low, long high)
    {
        if (page.Number != number)
        {
            Find(number, $"says it is page {page.Number}");
        }

        for (int i = 0; i < page.Count; i++)
        {
            long key = page.Key(i);
            if (key < low || key > high)
            {
                Find(number, $"has key {key} outside of its range {low} to {high}");
            }

            if (i != 0 && page.Key(i - 1) >= key)
            {
                Find(number, $"has keys {i - 1} and {i} in the wrong order");
            }
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
