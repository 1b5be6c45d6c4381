using Raven.Storage.Transactions;

namespace Raven.Storage.Checks;

/// <summary>
/// Checks a whole state of an environment: <see cref="StructureCheck"/>, and that each page of the file is owned by
/// one structure, or is a part of the free-space map, or is free.
/// </summary>
public static class EnvironmentCheck
{
    // Pages 0 and 1 are the two file headers.
    private const long FirstPage = 2;

    /// <summary>All pages below one that cannot be read belong to nothing: what is wrong with that one stands before
    /// them, and is not to be looked for among thousands.</summary>
    private const int LostPagesNamed = 8;

    /// <summary>Checks what a read transaction sees. It reads every page, and so verifies their hashes.</summary>
    public static CheckReport Run(ReadTransaction transaction)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        var check = new StructureCheck(new CheckReport());
        check.Ledger.Begin(transaction.Id, transaction.NextPageNumber, isWhole: true);
        Walk(check, transaction);
        return check.Report;
    }

    /// <summary>Walks what the ledger does not know, after its <see cref="PageLedger.Begin"/>.</summary>
    internal static void Walk(StructureCheck check, Transaction transaction)
    {
        check.Pages = transaction;
        long next = transaction.NextPageNumber;
        long pages = FirstPage + check.WalkFreeSpace(next) + check.Walk(transaction.CatalogRecord)
            + check.Ledger.FreePages;
        if (pages == next)
        {
            return;
        }

        check.Report.Find($"{pages} pages are owned, free or headers, of {next}");
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
