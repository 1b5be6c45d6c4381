using Raven.Storage.Checks;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

internal static class TreeChecker
{
    internal static CheckReport Check(IPageReader pages, Tree tree)
    {
        var report = new CheckReport();
        TreeCheck.Run(pages, tree.Root, "tree", report);
        Assert.Empty(report.Findings);
        return report;
    }
}
