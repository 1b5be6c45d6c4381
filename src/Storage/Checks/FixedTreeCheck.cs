using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>Walks one fixed tree and compares every page with what docs/formats/tree.md says of it.</summary>
internal readonly struct FixedTreeCheck : ICheckedTree<NumberBounds>
{
    private readonly StructureCheck _check;
    private readonly TreeWalk _walk;
    private readonly int _valueSize;
    private readonly string _name;
    private readonly EntryRole _role;

    private FixedTreeCheck(StructureCheck check, int valueSize, string name, EntryRole role)
    {
        _check = check;
        _walk = new TreeWalk(check, name);
        _valueSize = valueSize;
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
        var tree = new FixedTreeCheck(check, root.ValueSize, name, role);
        return tree._walk.Run(tree, root, holder, NumberBounds.All);
    }

    public void CheckLeaf(NativeSlice memory, long number, in NumberBounds bounds, ref CheckTotals own)
    {
        FixedPage page = FixedPage.OpenLeaf(
            memory, number, _valueSize, FixedPage.LeafCapacity(_valueSize));
        CheckKeys(page, number, bounds);
        VisitLeaf(page, number, ref own);
    }

    public void CheckBranch(
        NativeSlice memory, long number, int levelsBelow, in NumberBounds bounds, ref CheckTotals own)
    {
        FixedPage page = FixedPage.OpenBranch(memory, number);
        CheckKeys(page, number, bounds);
        for (int child = 0; child <= page.Count; child++)
        {
            long low = child == 0 ? bounds.Low : page.Key(child - 1);
            long high = child == page.Count ? bounds.High : page.Key(child) - 1;
            _walk.Walk(this, page.Child(child), number, levelsBelow - 1, new NumberBounds(low, high), ref own);
        }
    }

    private void VisitLeaf(FixedPage page, long number, ref CheckTotals own)
    {
        own.Entries = page.Count;
        if (page.Count == 0)
        {
            _walk.Find(number, "is an empty leaf");
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

    private void CheckKeys(FixedPage page, long number, in NumberBounds bounds)
    {
        for (int i = 0; i < page.Count; i++)
        {
            long key = page.Key(i);
            if (key < bounds.Low || key > bounds.High)
            {
                _walk.Find(number, $"has key {key} outside of its range {bounds.Low} to {bounds.High}");
            }

            if (i != 0 && page.Key(i - 1) >= key)
            {
                _walk.Find(number, $"has keys {i - 1} and {i} in the wrong order");
            }
        }
    }
}
