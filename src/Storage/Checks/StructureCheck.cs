using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Streams;
using Raven.Storage.Structures;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>
/// Walks everything that one state of an environment holds, from the catalog's root record down: every page has one
/// owner, keys are in order, separators are right, counts are what the root records say. What the report's ledger knows
/// already is not walked.
/// </summary>
internal sealed class StructureCheck(CheckReport report)
{
    /// <summary>The owner of the pages of the catalog itself.</summary>
    internal const string CatalogOwner = "catalog";

    private const ulong AnyPlace = 1;

    private readonly Dictionary<string, StructureNames> _names = [];
    private StructureRoot _catalog;
    private StreamCheck? _streams;

    internal CheckReport Report => report;

    internal PageLedger Ledger => report.Ledger;

    /// <summary>The pages of the state.</summary>
    internal IPageReader Pages { get; set; } = null!;

    /// <summary>
    /// Checks all structures. Damage that stops the walk of one is a finding, and the others are walked.
    /// </summary>
    /// <param name="pages">The snapshot.</param>
    /// <param name="catalogRecord">
    /// The root record of the catalog, which <see cref="Catalog.Save"/> returned; zeros for an empty environment.
    /// </param>
    internal static CheckReport Run(IPageReader pages, ReadOnlySpan<byte> catalogRecord)
    {
        var report = new CheckReport();
        new StructureCheck(report) { Pages = pages }.Walk(catalogRecord);
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
            report.Ledger.Claim(page, 1, 0, PageLedger.FreeOwner, report);
        }

        for (long page = firstPage; page < nextPage; page++)
        {
            if (!report.Ledger.IsClaimed(page))
            {
                report.Find($"page {page} belongs to nothing");
            }
        }

        foreach ((long page, string owner) in report.Owners)
        {
            if (page < firstPage || page >= nextPage)
            {
                report.Find($"page {page} of {owner} is outside of the file");
            }
        }
    }

    /// <summary>Walks all structures.</summary>
    /// <returns>How many pages they have.</returns>
    internal long Walk(ReadOnlySpan<byte> catalogRecord)
    {
        if (catalogRecord.IndexOfAnyExcept((byte)0) < 0)
        {
            return 0;
        }

        CheckTotals totals = default;
        try
        {
            _catalog = StructureRoot.Read(catalogRecord, StructureKind.Tree);
            totals = TreeCheck.Run(this, _catalog, CatalogOwner, 0, EntryRole.Catalog);
        }
        catch (StorageCorruptedException damage)
        {
            report.Find(damage.Message);
        }

        report.Entries += totals.AllEntries;
        return totals.Pages;
    }

    /// <summary>Walks the free-space map and reports the free pages to the ledger.</summary>
    /// <returns>How many pages it has.</returns>
    internal long WalkFreeSpace(long nextPage)
    {
        int parts = FreeSpace.PartCountFor(nextPage);
        try
        {
            for (int part = 0; part < parts; part++)
            {
                WalkPart(part);
            }
        }
        catch (StorageCorruptedException damage)
        {
            report.Find(damage.Message);
        }

        for (long page = nextPage; Ledger.IsFree(page); page++)
        {
            report.Find($"page {page} is free and was never used");
        }

        return parts;
    }

    /// <summary>Checks an entry of a tree that is a part of a structure.</summary>
    internal void Visit(
        EntryRole role, string owner, long page, ReadOnlySpan<byte> key, NativeSlice value, ref CheckTotals totals)
    {
        switch (role)
        {
            case EntryRole.Catalog:
                VisitRecord(page, key, value, ref totals);
                break;
            case EntryRole.Sets:
                totals.Rows += ValueSet.Count(value.Span);
                if (ValueSet.IsNested(value.Span))
                {
                    StructureRoot root = ValueSet.Root(value.Span);
                    totals.AddBelow(TreeCheck.Run(this, root, owner, page, EntryRole.Plain));
                }

                break;
            case EntryRole.StreamNames:
                StreamInfo info = StreamStore.ReadInfo(value.Span);
                totals.Rows += info.Chunks;
                totals.PayloadBytes += info.Length;
                _streams?.VisitName(info);
                break;
            case EntryRole.StreamChunks:
                totals.Rows++;
                totals.PayloadBytes += value.Length;
                _streams?.VisitChunk(key, value.Length);
                break;
        }
    }

    /// <summary>Checks a run that a page refers to, and claims its pages.</summary>
    internal NativeSlice CheckRun(long first, int length, long holder, string owner, ref CheckTotals totals)
    {
        int pages = PageHeader.PagesForRun(length);
        totals.OverflowPages += pages;
        if (!TryGetPage(first, owner, out NativeSlice memory))
        {
            return default;
        }

        NativeSlice run = OverflowRun.Read(Pages, first, length);
        bool isKnown = Ledger.IsKnown(first, (ulong)length << 1 | AnyPlace, out _);
        if (Ledger.Claim(first, pages, holder, owner, report) && !isKnown)
        {
            Look(owner, first, memory);
            Ledger.Keep(first, (ulong)length << 1 | AnyPlace, default);
        }

        return run;
    }

    /// <summary>Reads a page that something refers to.</summary>
    /// <returns>False if that is a finding: it is free, or not in the file.</returns>
    internal bool TryGetPage(long number, string owner, out NativeSlice page)
    {
        page = default;
        if (!Ledger.IsInside(number, owner, report))
        {
            return false;
        }

        if (Ledger.IsFree(number))
        {
            report.Find($"page {number} belongs to {owner} and is free");
            return false;
        }

        page = Pages.GetPage(number);
        return true;
    }

    /// <summary>Compares a count of a root record with the counted number.</summary>
    internal void Expect(string name, long kept, long counted, string what)
    {
        if (kept != counted)
        {
            report.Find($"{name}: the root record says {kept} {what}, there are {counted}");
        }
    }

    /// <summary>
    /// Checks that a page has its own number in its header, and that only transactions have changed it.
    /// </summary>
    internal void Look(string name, long number, NativeSlice page)
    {
        Ledger.Look(number, page, report);
        long said = BinaryPrimitives.ReadInt64LittleEndian(page.Span[sizeof(ulong)..]);
        if (said != number)
        {
            report.Find($"{name}: page {number} says it is page {said}");
        }

        long transactionId = MemoryMarshal.Read<PageHeader>(page.Span).TransactionId;
        if (transactionId > Ledger.TransactionId && Ledger.TransactionId > 0)
        {
            report.Find(
                $"{name}: page {number} is of transaction {transactionId}, the state of {Ledger.TransactionId}");
        }
    }

    private void WalkPart(int part)
    {
        long page = FreeSpace.PageOfPart(part);
        bool isKnown = Ledger.IsKnown(page, AnyPlace, out _);
        NativeSlice memory = Pages.GetPage(page);
        if (!isKnown)
        {
            Ledger.SetFree(part, FreeSpace.WordsOf(memory.WritableSpan));
        }

        if (Ledger.Claim(page, 1, 0, PageLedger.FreeOwner, report) && !isKnown)
        {
            Look(PageLedger.FreeOwner, page, memory);
            Ledger.Keep(page, AnyPlace, default);
        }
    }

    private void VisitRecord(long page, ReadOnlySpan<byte> key, NativeSlice value, ref CheckTotals totals)
    {
        StructureNames names = NamesOf(key);
        try
        {
            ReadOnlySpan<byte> records = value.Span;
            while (!records.IsEmpty)
            {
                totals.AddBelow(WalkNext(names, page, ref records));
            }
        }
        catch (StorageCorruptedException damage)
        {
            report.Find($"{names.Name}: {damage.Message}");
        }
    }

    /// <summary>
    /// A structure's own record is followed by those of its parts; a part is checked like any other structure.
    /// </summary>
    private CheckTotals WalkNext(StructureNames names, long page, ref ReadOnlySpan<byte> records)
    {
        StructureRoot root = Take(ref records);
        switch (root.Kind)
        {
            case StructureKind.Tree:
                return TreeCheck.Run(this, root, names.Name, page, EntryRole.Plain);
            case StructureKind.FixedTree:
                return FixedTreeCheck.Run(this, root, names.Name, page, EntryRole.Plain);
            case StructureKind.RowHeap:
                return RowHeapCheck.Run(this, root, Take(ref records), Take(ref records), names, page);
            case StructureKind.Table:
                CheckIndexes(names.Name, root, records);
                return default;
            case StructureKind.MultiTree:
                CheckTotals sets = TreeCheck.Run(this, Take(ref records), names.Name, page, EntryRole.Sets);
                Expect(names.Name, root.Count, sets.Rows, "values");
                return sets;
            case StructureKind.Streams:
                return WalkStreams(names, root, Take(ref records), Take(ref records), page);
            default:
                report.Find($"{names.Name}: a root record is of the unknown kind {(int)root.Kind}");
                return default;
        }
    }

    /// <summary>
    /// Compares the counts of a table's heap and indexes. Their records follow, and are walked as structures
    /// of their own.
    /// </summary>
    private void CheckIndexes(string name, in StructureRoot root, ReadOnlySpan<byte> records)
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
            if (index.Count != heap.Count && !IsBeingCopied(name))
            {
                report.Find($"{name}: index {i} has {index.Count} entries for {heap.Count} rows");
            }
        }
    }

    /// <summary>
    /// True for a table that a copy has begun to fill: first all rows, then one index after the other.
    /// </summary>
    private bool IsBeingCopied(string name)
    {
        var structures = new Tree();
        structures.Attach(Pages, _catalog);
        return structures.TryGet(RowIdMap.NameOf(Encoding.UTF8.GetBytes(name)), out _);
    }

    /// <summary>Compares streams and chunks one by one if everything is walked; otherwise their sums only.</summary>
    private CheckTotals WalkStreams(
        StructureNames names, in StructureRoot root, in StructureRoot nameTree, in StructureRoot chunkTree, long page)
    {
        _streams = Ledger.IsWhole ? new StreamCheck(names.Name, report) : null;
        CheckTotals named = TreeCheck.Run(this, nameTree, names.StreamNames, page, EntryRole.StreamNames);
        CheckTotals totals = TreeCheck.Run(this, chunkTree, names.StreamChunks, page, EntryRole.StreamChunks);
        _streams?.End();
        _streams = null;
        Expect(names.Name, root.PayloadBytes, named.PayloadBytes, "bytes of streams");
        Expect(names.Name, root.PayloadBytes, totals.PayloadBytes, "bytes of chunks");
        Expect(names.Name, named.Rows, totals.Rows, "chunks");
        totals.Add(named);
        return totals;
    }

    private StructureNames NamesOf(ReadOnlySpan<byte> key)
    {
        Span<char> characters = stackalloc char[Catalog.NameSizeBytesMax];
        if (key.Length > characters.Length)
        {
            return new StructureNames(Encoding.UTF8.GetString(key));
        }

        ReadOnlySpan<char> name = characters[..Encoding.UTF8.GetChars(key, characters)];
        var byName = _names.GetAlternateLookup<ReadOnlySpan<char>>();
        if (!byName.TryGetValue(name, out StructureNames? names))
        {
            names = new StructureNames(name.ToString());
            byName[name] = names;
        }

        return names;
    }

    private static StructureRoot Take(ref ReadOnlySpan<byte> records)
    {
        if (records.Length < StructureRoot.SizeInBytes)
        {
            throw Damage.Of("root records are cut short");
        }

        ReadOnlySpan<byte> record = records[..StructureRoot.SizeInBytes];
        records = records[StructureRoot.SizeInBytes..];
        return StructureRoot.Read(record, (StructureKind)record[0]);
    }
}
