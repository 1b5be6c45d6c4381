using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Raven.Storage.Checks;

/// <summary>
/// Checks a whole snapshot of an environment: <see cref="StructureCheck"/>, and that each page of the file is owned by
/// one structure, or is a part of the free-space map, or is free. It reads every page, and so verifies their hashes.
/// </summary>
public static class EnvironmentCheck
{
    // Pages 0 and 1 are the two file headers.
    private const long FirstPage = 2;

    /// <summary>Checks what a read transaction sees.</summary>
    public static CheckReport Run(ReadTransaction transaction)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        CheckReport report = StructureCheck.Run(transaction, transaction.CatalogRecord);
        StructureCheck.CheckOwners(report, FirstPage, transaction.NextPageNumber, Others(transaction));
        return report;
    }

    private static IEnumerable<long> Others(ReadTransaction transaction)
    {
        for (long page = FirstPage; page < transaction.NextPageNumber; page++)
        {
            if (FreeSpace.IsMapPage(page) || FreeSpace.IsFree(transaction, page))
            {
                yield return page;
            }
        }
    }
}
