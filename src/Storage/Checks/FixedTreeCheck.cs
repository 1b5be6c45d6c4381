using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>Walks one fixed tree and compares every page with what docs/formats/tree.md says of it.</summary>
internal readonly struct FixedTreeCheck
{
    private readonly StructureCheck _check;
    private readonly int _valueSize;
    private readonly int _capacity;
    private readonly string _name;
    private readonly EntryRole _role;

    private FixedTreeCheck(StructureCheck check, int valueSize, string name, EntryRole role)
    {
        _check = check;
        _valueSize = valueSize;
        _capacity = FixedPage.LeafCapacity(valueSize);
        _name = name;
        _role = role;
    }

    /// <summary>Checks a tree that stands by itself, and claims its pages.</summary>
    internal static void Run(IPageReader pages, in StructureRoot root, string name, CheckReport report) =>
        report.Entries += Run(new StructureCheck(report) { Pages = pages }, root, name, 0, EntryRole.Plain).Entries;

    /// <summary>Checks a tree, and claims its pages.</summary>
    /// <param name="check">The state.</param>
    /// <param name="root">The tree's root record...</param>
    /// <param name="name">...what findings call it...</param>
    /// <param name="holder">...and the page that holds the record.</param>
    /// <param name="role">What its entries are.</param>
    internal static CheckTotals Run(
        StructureCheck check, in StructureRoot root, string name, long holder, EntryRole role)
    {
        CheckTotals totals = default;
        if (root.RootPage != 0)
        {
            var tree = new FixedTreeCheck(check, root.ValueSize, name, role);
            tree.Walk(root.RootPage, holder, root.Depth - 1, long.MinValue, long.MaxValue, ref totals);
        }

        check.Expect(name, root.Count, totals.Entries, "entries");
        check.Expect(name, root.LeafPages, totals.Leaves, "leaves");
        check.Expect(name, root.BranchPages, totals.Branches, "branches");
        return totals;
    }

    private void Walk(long number, long holder, int levelsBelow, long low, long high, ref CheckTotals totals)
    {
        ulong place = Mixer.Mix(Mixer.Mix((ulong)low, (ulong)high), (ulong)levelsBelow) | 1;
        if (_check.Ledger.IsKnown(number, place, out CheckTotals own))
        {
            _check.Ledger.Claim(number, 1, holder, _name, _check.Report);
            totals.Add(own);
            return;
        }

        if (!_check.TryGetPage(number, _name, out NativeSlice memory)
            || !_check.Ledger.Claim(number, 1, holder, _name, _check.Report))
        {
            return;
        }

        _check.Look(_name, number, memory);

        FixedPage page = levelsBelow == 0
            ? FixedPage.OpenLeaf(memory, number, _valueSize, _capacity)
            : FixedPage.OpenBranch(memory, number);
        CheckKeys(page, number, low, high);
        if (levelsBelow == 0)
        {
            VisitLeaf(page, number, ref own);
        }
        else
        {
            own.Branches = 1;
            for (int child = 0; child <= page.Count; child++)
            {
                long childLow = child == 0 ? low : page.Key(child - 1);
                long childHigh = child == page.Count ? high : page.Key(child) - 1;
                Walk(page.Child(child), number, levelsBelow - 1, childLow, childHigh, ref own);
            }
        }

        _check.Ledger.Keep(number, place, own);
        totals.Add(own);
    }

    private void VisitLeaf(FixedPage page, long number, ref CheckTotals own)
    {
        own.Leaves = 1;
        own.Entries = page.Count;
        if (page.Count == 0)
        {
            Find(number, "is an empty leaf");
        }

        for (int i = 0; i < page.Count && _role != EntryRole.Plain; i++)
        {
            if (_role == EntryRole.HeapPages)
            {
                RowHeapCheck.VisitPage(_check, page.Key(i), number, _name, ref own);
            }
            else
            {
                own.AddKey(page.Key(i));
            }
        }
    }

    private void CheckKeys(FixedPage page, long number, long low, long high)
    {
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

    private void Find(long number, string finding) => _check.Report.Find($"{_name}: page {number} {finding}");
}
