using Raven.Storage.Paging;

namespace Raven.Storage.Checks;

/// <summary>
/// Checks a whole state of an environment: <see cref="StructureCheck"/>, and that each page of the file is owned by
/// one structure, or is a part of the free-space map, or is free.
/// </summary>
internal static class EnvironmentCheck
{
    // Pages 0 and 1 are the two file headers.
    private const long FirstPage = 2;

    /// <summary>
    /// The most pages without an owner that are reported. If a page cannot be read, all pages below it have none: they
    /// must not hide the damage itself.
    /// </summary>
    private const int LostPagesNamed = 8;

    /// <summary>Checks a state. It reads every page, and so verifies their hashes.</summary>
    /// <param name="pages">The pages of the state.</param>
    /// <param name="state">The commit point of the state, as a file header has it.</param>
    internal static CheckReport Run(IPageReader pages, in CommitPoint state)
    {
        var check = new StructureCheck(new CheckReport());
        check.Ledger.Begin(state.TransactionId, state.NextPageNumber, isWhole: true);
        Walk(check, pages, state);
        return check.Report;
    }

    /// <summary>
    /// Walks all pages that the ledger does not know yet. Called after its <see cref="PageLedger.Begin"/>.
    /// </summary>
    internal static void Walk(StructureCheck check, IPageReader pages, in CommitPoint state)
    {
        check.Pages = pages;
        long next = state.NextPageNumber;
        long owned = FirstPage + check.WalkFreeSpace(next) + check.Walk(state.CatalogRecord)
            + check.Ledger.FreePages;
        if (owned == next)
        {
            return;
        }

        check.Report.Find($"{owned} pages are owned, free or headers, of {next}");
        int lost = 0;
        for (long page = FirstPage; page < next && check.Ledger.IsWhole; page++)
        {
            if (!check.Ledger.IsClaimed(page) && !check.Ledger.IsFree(page) && ++lost <= LostPagesNamed)
            {
                check.Report.Find($"page {page} belongs to nothing");
            }
        }

        if (lost > LostPagesNamed)
        {
            check.Report.Find($"{lost - LostPagesNamed} more pages belong to nothing");
        }
    }
}
