using System.Buffers.Binary;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Storage.Streams;
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
            case StructureKind.Table:
                CheckIndexes(name, root, records, report);
                break;
            case StructureKind.MultiTree:
                WalkSets(pages, name, root, Take(ref records), report);
                break;
            case StructureKind.Streams:
                WalkStreams(pages, name, root, Take(ref records), Take(ref records), report);
                break;
            default:
                report.Find($"{name}: a root record is of the unknown kind {(int)root.Kind}");
                break;
        }
    }

    /// <summary>The heap and the indexes follow, and are walked as what they are; here only their counts.</summary>
    private static void CheckIndexes(
        string name, in StructureRoot root, ReadOnlySpan<byte> records, CheckReport report)
    {
        StructureRoot heap = Take(ref records);
        records = records[Math.Min(records.Length, 2 * StructureRoot.SizeInBytes)..];
        if (records.Length != root.ValueSize * StructureRoot.SizeInBytes)
        {
            report.Find($"{name}: the root record says {root.ValueSize} indexes");
        }

        for (int i = 0; !records.IsEmpty; i++)
        {
            StructureRoot index = Take(ref records);
            if (index.Count != heap.Count)
            {
                report.Find($"{name}: index {i} has {index.Count} entries for {heap.Count} rows");
            }
        }
    }

    private static void WalkSets(
        IPageReader pages, string name, in StructureRoot root, in StructureRoot keys, CheckReport report)
    {
        long count = 0;
        TreeCheck.Run(pages, keys, name, report, (key, set) =>
        {
            count += ValueSet.Count(set.Span);
            if (ValueSet.IsNested(set.Span))
            {
                TreeCheck.Run(pages, ValueSet.Root(set.Span), $"{name}: {Convert.ToHexString(key)}", report);
            }
        });
        if (count != root.Count)
        {
            report.Find($"{name}: the root record says {root.Count} values, there are {count}");
        }
    }

    private static void WalkStreams(
        IPageReader pages,
        string name,
        in StructureRoot root,
        in StructureRoot names,
        in StructureRoot chunks,
        CheckReport report)
    {
        var streams = new Dictionary<long, (long Length, long Chunks)>();
        TreeCheck.Run(pages, names, $"{name}: names", report, (_, bytes) =>
        {
            StreamInfo info = StreamStore.ReadInfo(bytes.Span);
            if (!streams.TryAdd(info.Number, (info.Length, info.Chunks)))
            {
                report.Find($"{name}: two streams have the number {info.Number}");
            }
        });
        var found = new Dictionary<long, (long Length, long Chunks)>();
        TreeCheck.Run(pages, chunks, $"{name}: chunks", report, (key, bytes) =>
        {
            if (key.Length != 2 * sizeof(long))
            {
                report.Find($"{name}: a chunk's key has {key.Length} bytes");
                return;
            }

            long number = BinaryPrimitives.ReadInt64BigEndian(key);
            (long length, long count) = found.GetValueOrDefault(number);
            if (length != BinaryPrimitives.ReadInt64BigEndian(key[sizeof(long)..]) || bytes.IsEmpty)
            {
                report.Find($"{name}: stream {number} has a gap before {length}");
            }

            found[number] = (length + bytes.Length, count + 1);
        });
        foreach ((long number, (long Length, long Chunks) stream) in streams)
        {
            if (found.GetValueOrDefault(number) != stream)
            {
                report.Find($"{name}: stream {number} is not as long as its name says");
            }
        }

        if (found.Keys.Any(number => !streams.ContainsKey(number))
            || root.PayloadBytes != streams.Values.Sum(stream => stream.Length))
        {
            report.Find($"{name}: there are chunks of no stream, or the count of bytes is wrong");
        }
    }

    private static StructureRoot Take(ref ReadOnlySpan<byte> records)
    {
        if (records.Length < StructureRoot.SizeInBytes)
        {
            throw new StorageCorruptedException("data", -1, "root records are cut short");
        }

        ReadOnlySpan<byte> record = records[..StructureRoot.SizeInBytes];
        records = records[StructureRoot.SizeInBytes..];
        return StructureRoot.Read(record, (StructureKind)record[0]);
    }
}
