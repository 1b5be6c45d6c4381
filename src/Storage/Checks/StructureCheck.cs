using System.Text;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>
/// Walks everything that one snapshot of an environment holds, from the catalog's root record down: every page has one
/// owner, keys are in order, separators are right, counts are what the root records say.
/// </summary>
internal static class StructureCheck
{
    /// <summary>The owner of the pages of the catalog itself.</summary>
    internal const string CatalogOwner = "catalog";

    /// <summary>Checks all structures. Damage that stops the walk of one is a finding, and the others are
    /// walked.</summary>
    /// <param name="pages">The snapshot.</param>
    /// <param name="catalogRecord">What <see cref="Catalog.Save"/> gave; zeros for an empty environment.</param>
    internal static CheckReport Run(IPageReader pages, ReadOnlySpan<byte> catalogRecord)
    {
        var report = new CheckReport();
        if (catalogRecord.IndexOfAnyExcept((byte)0) < 0)
        {
            return report;
        }

        try
        {
            StructureRoot root = StructureRoot.Read(catalogRecord, StructureKind.Tree);
            TreeCheck.Run(pages, root, CatalogOwner, report, (key, value) => Walk(pages, key, value, report));
        }
        catch (StorageCorruptedException damage)
        {
            report.Find(damage.Message);
        }

        return report;
    }

    /// <summary>Compares the owners with all pages of the file.</summary>
    /// <param name="report">What <see cref="Run"/> gave.</param>
    /// <param name="firstPage">The first page that a structure can have.</param>
    /// <param name="nextPage">The first page that was never used.</param>
    /// <param name="otherPages">Pages that are not of structures: free ones, those of the free-space map.</param>
    internal static void CheckOwners(CheckReport report, long firstPage, long nextPage, IEnumerable<long> otherPages)
    {
        foreach (long page in otherPages)
        {
            report.Own(page, 1, "free space");
        }

        for (long page = firstPage; page < nextPage; page++)
        {
            if (!report.Owners.ContainsKey(page))
            {
                report.Find($"page {page} belongs to nothing");
            }
        }

        foreach (long page in report.Owners.Keys)
        {
            if (page < firstPage || page >= nextPage)
            {
                report.Find($"page {page} of {report.Owners[page]} is outside of the file");
            }
        }
    }

    private static void Walk(IPageReader pages, ReadOnlySpan<byte> key, NativeSlice value, CheckReport report)
    {
        string name = Encoding.UTF8.GetString(key);
        try
        {
            ReadOnlySpan<byte> records = value.Span;
            while (!records.IsEmpty)
            {
                WalkNext(pages, name, ref records, report);
            }
        }
        catch (StorageCorruptedException damage)
        {
            report.Find($"{name}: {damage.Message}");
        }
    }

    /// <summary>A structure's own record and those of its parts follow each other: a part is checked like any
    /// other.</summary>
    private static void WalkNext(
        IPageReader pages, string name, ref ReadOnlySpan<byte> records, CheckReport report)
    {
        StructureRoot root = Take(ref records);
        switch (root.Kind)
        {
            case StructureKind.Tree:
                TreeCheck.Run(pages, root, name, report);
                break;
            case StructureKind.FixedTree:
                FixedTreeCheck.Run(pages, root, name, report);
                break;
            case StructureKind.RowHeap:
                RowHeapCheck.Run(pages, root, Take(ref records), Take(ref records), name, report);
                break;
            default:
                report.Find($"{name}: a root record is of the unknown kind {(int)root.Kind}");
                break;
        }
    }

    private static StructureRoot Take(ref ReadOnlySpan<byte> records)
    {
        int size = Math.Min(records.Length, StructureRoot.SizeInBytes);
        ReadOnlySpan<byte> record = records[..size];
        records = records[size..];
        return StructureRoot.Read(record, (StructureKind)record[0]);
    }
}
