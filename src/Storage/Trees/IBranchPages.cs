using Raven.Storage.Paging;


namespace Raven.Storage.Trees;

/// <summary>How a walk from leaf to leaf reads the branches of one kind of tree.</summary>
internal interface IBranchPages
{
    /// <summary>The first or the last child of a branch, and its index.</summary>
    static abstract long EdgeChild(IPageReader pages, long number, bool isLast, out int index);

    /// <summary>The child of an index; false behind the last one.</summary>
    static abstract bool TryGetChild(IPageReader pages, long number, int index, out long child);
}
