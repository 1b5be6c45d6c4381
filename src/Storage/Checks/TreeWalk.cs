using Raven.Blittable.Memory;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>
/// Walks the pages of one tree from the root down, and claims each of them. A page that was checked in the same place
/// before, and has not changed since, is counted and not walked again.
/// </summary>
/// <param name="check">The check of the whole state.</param>
/// <param name="name">The name of the tree in findings.</param>
internal readonly struct TreeWalk(StructureCheck check, string name)
{
    /// <summary>Walks all pages, and compares the counts of the root record with theirs.</summary>
    /// <param name="tree">The tree.</param>
    /// <param name="root">Its root record.</param>
    /// <param name="holder">The page that holds the root record.</param>
    /// <param name="bounds">The bounds of all keys.</param>
    internal CheckTotals Run<TTree, TBounds>(TTree tree, in StructureRoot root, long holder, in TBounds bounds)
        where TTree : struct, ICheckedTree<TBounds>
        where TBounds : struct, IPageBounds, allows ref struct
    {
        CheckTotals totals = default;
        if (root.RootPage != 0)
        {
            Walk(tree, root.RootPage, holder, root.Depth - 1, bounds, ref totals);
        }

        check.Expect(name, root.Count, totals.Entries, "entries");
        check.Expect(name, root.LeafPages, totals.Leaves, "leaves");
        check.Expect(name, root.BranchPages, totals.Branches, "branches");
        return totals;
    }

    /// <summary>Checks a page and what lies below it.</summary>
    internal void Walk<TTree, TBounds>(
        TTree tree, long number, long holder, int levelsBelow, in TBounds bounds, ref CheckTotals totals)
        where TTree : struct, ICheckedTree<TBounds>
        where TBounds : struct, IPageBounds, allows ref struct
    {
        ulong place = bounds.PlaceAt(levelsBelow);
        if (check.Ledger.IsKnown(number, place, out CheckTotals own))
        {
            check.Ledger.Claim(number, 1, holder, name, check.Report);
            totals.Add(own);
            return;
        }

        if (!check.TryGetPage(number, name, out NativeSlice memory)
            || !check.Ledger.Claim(number, 1, holder, name, check.Report))
        {
            return;
        }

        check.Look(name, number, memory);
        if (levelsBelow == 0)
        {
            own.Leaves = 1;
            tree.CheckLeaf(memory, number, bounds, ref own);
        }
        else
        {
            own.Branches = 1;
            tree.CheckBranch(memory, number, levelsBelow, bounds, ref own);
        }

        check.Ledger.Keep(number, place, own);
        totals.Add(own);
    }

    /// <summary>Adds a finding about a page.</summary>
    internal void Find(long number, string finding) => check.Report.Find($"{name}: page {number} {finding}");
}
