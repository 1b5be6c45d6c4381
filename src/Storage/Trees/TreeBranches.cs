using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>The branches of a <see cref="Tree"/>.</summary>
internal readonly struct TreeBranches : IBranchPages
{
    public static long EdgeChild(IPageReader pages, long number, bool isLast, out int index)
    {
        TreePage page = TreePage.Open(pages.GetPage(number), number, PageKind.TreeBranch);
        index = isLast ? page.Count : 0;
        return page.Child(index);
    }

    public static bool TryGetChild(IPageReader pages, long number, int index, out long child)
    {
        TreePage page = TreePage.Open(pages.GetPage(number), number, PageKind.TreeBranch);
        child = index <= page.Count ? page.Child(index) : 0;
        return index <= page.Count;
    }
}
