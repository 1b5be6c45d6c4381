using Raven.Storage.Paging;


namespace Raven.Storage.Trees;

/// <summary>The branches of a <see cref="FixedTree"/>.</summary>
internal readonly struct FixedTreeBranches : IBranchPages
{
    public static long EdgeChild(IPageReader pages, long number, bool isLast, out int index)
    {
        FixedPage page = FixedPage.OpenBranch(pages.GetPage(number), number);
        index = isLast ? page.Count : 0;
        return page.Child(index);
    }

    public static bool TryGetChild(IPageReader pages, long number, int index, out long child)
    {
        FixedPage page = FixedPage.OpenBranch(pages.GetPage(number), number);
        child = index <= page.Count ? page.Child(index) : 0;
        return index <= page.Count;
    }
}
