using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Recovery;

// REPLAY-1  Pages are changed in memory and written when there are many, or at the end: a page that a thousand records
//           patch is written once. A crash in between is harmless, as the next recovery starts over. The memory is
//           bounded by what a flush would wait for (FlushAfterScratchBytes) and a quarter of the scratch budget, and
//           does not grow while all environments of the process have half of that; but 64 MB are always allowed.
// REPLAY-2  A page (or run) removes pages in memory that start inside it, behind its first page; they are older. One
//           that starts inside an older run is written after it (PageBatch).

/// <summary>
/// Applies journal records to the data file, in order. Applying them twice has the same result: no page is patched
/// before one of these records has it whole.
/// </summary>
internal sealed class PageReplayer : IDisposable
{
    private readonly DataFile _data;
    private readonly StorageHooks _hooks;
    private readonly HashSet<long> _whole = [];
    private readonly DirectRunCheck _direct;
    private readonly ScratchPool _scratch;
    private readonly ScratchBudget _budget;
    private readonly long _heldBytesMax;
    private readonly Dictionary<long, NativeSlice> _held = [];
    private readonly List<(long Page, NativeSlice Place)> _batch = [];
    private string _journal = "";

    internal PageReplayer(DataFile data, StorageOptions options)
    {
        _data = data;
        _hooks = options.Hooks;
        _direct = new DirectRunCheck(data, options.Hooks);
        _budget = options.ScratchBudget;
        _scratch = new ScratchPool(_budget);
        _heldBytesMax = Math.Min(
            _hooks.RecoveryBytesMax, Math.Min(options.FlushAfterScratchBytes, _budget.SizeBytesMax / 4));
    }

    /// <summary>Whether every page of the data file is whole, so that it may be patched: in a copy that nothing else
    /// writes to.</summary>
    internal bool HasWholePages { private get; init; }

    private bool HoldsTooMuch =>
        _scratch.UsedBytes > _hooks.RecoveryBytesMin
        && (_scratch.UsedBytes > _heldBytesMax || _budget.UsedBytes > _budget.SizeBytesMax / 2);

    /// <summary>Applies the entries of one record.</summary>
    internal void Apply(string journal, in JournalRecordHeader header, ReadOnlySpan<byte> payload)
    {
        _journal = journal;
        _data.EnsureLength(header.NextPageNumber);
        for (int i = 0; i < header.EntryCount; i++)
        {
            if (payload.Length < JournalEntryHeader.SizeInBytes)
            {
                throw Damaged(header, "an entry is cut off");
            }

            JournalEntryHeader entry = MemoryMarshal.Read<JournalEntryHeader>(payload);
            payload = payload[JournalEntryHeader.SizeInBytes..];
            if (entry.DataBytes < 0 || entry.DataBytes > payload.Length || !IsPossible(entry, header))
            {
                throw Damaged(header, $"the entry of page {entry.PageNumber} makes no sense");
            }

            Apply(header, entry, payload[..entry.DataBytes]);
            payload = payload[entry.DataBytes..];
        }
    }

    /// <summary>Checks the runs that should be in the data file already, when all records have been applied.</summary>
    internal void CheckDirectRuns() => _direct.Run();

    /// <summary>Writes the pages that are still in memory.</summary>
    internal void WriteHeld()
    {
        foreach ((long page, NativeSlice place) in _held)
        {
            _batch.Add((page, place));
        }

        PageBatch.Write(_data, _batch);
        _batch.Clear();
        FreeHeld();
    }

    public void Dispose()
    {
        FreeHeld();
        _scratch.Dispose();
    }

    private static bool IsPossible(in JournalEntryHeader entry, in JournalRecordHeader header) =>
        entry.LengthBytes > 0
        && entry.LengthBytes % PageHeader.PageSizeInBytes == 0
        && entry.PageNumber is > 1
        && entry.PageNumber + entry.LengthBytes / PageHeader.PageSizeInBytes <= header.NextPageNumber;

    private void Apply(in JournalRecordHeader header, in JournalEntryHeader entry, ReadOnlySpan<byte> patch)
    {
        _direct.Forget(entry);
        if (entry.Kind == JournalEntryKind.Direct)
        {
            if (!_direct.TryAdd(_journal, header, entry, patch))
            {
                throw Damaged(header, $"the hashes of the run at page {entry.PageNumber} do not fit");
            }

            _whole.Remove(entry.PageNumber);
            Drop(entry);
            return;
        }

        NativeSlice page = entry.Kind switch
        {
            JournalEntryKind.Whole => NewPage(entry),
            JournalEntryKind.Patch => PageToPatch(header, entry),
            _ => throw Damaged(header, $"the entry of page {entry.PageNumber} is of no known kind"),
        };
        if (!PagePatch.TryApply(patch, page.WritableSpan)
            || MemoryMarshal.Read<PageHeader>(page.Span).PageNumber != entry.PageNumber)
        {
            throw Damaged(header, $"the patch of page {entry.PageNumber} does not fit");
        }

        if (HoldsTooMuch)
        {
            WriteHeld();
        }
    }

    /// <summary>Zeros, in place of whatever these pages held before.</summary>
    private NativeSlice NewPage(in JournalEntryHeader entry)
    {
        _whole.Add(entry.PageNumber);
        Drop(entry);
        NativeSlice place = _scratch.Allocate(PagesOf(entry));
        place.WritableSpan.Clear();
        _held.Add(entry.PageNumber, place);
        return place;
    }

    private NativeSlice PageToPatch(in JournalRecordHeader header, in JournalEntryHeader entry)
    {
        if (_held.TryGetValue(entry.PageNumber, out NativeSlice place) && place.Length == entry.LengthBytes)
        {
            return place;
        }

        place = _scratch.Allocate(PagesOf(entry));
        Span<byte> page = place.WritableSpan;
        if (_held.ContainsKey(entry.PageNumber)
            || !(_whole.Contains(entry.PageNumber) || HasWholePages)
            || _data.ReadAt(entry.PageNumber, page) != page.Length
            || MemoryMarshal.Read<ulong>(page) != DataFile.ChecksumOf(page, _data.EnvironmentId))
        {
            _scratch.Free(place);
            throw Damaged(header, $"page {entry.PageNumber} is to be patched, but was never given whole");
        }

        _hooks.Mark(CoverageMark.PageReplayedTwice);
        _held.Add(entry.PageNumber, place);
        return place;
    }

    private static int PagesOf(in JournalEntryHeader entry) => entry.LengthBytes / PageHeader.PageSizeInBytes;

    private void Drop(in JournalEntryHeader entry)
    {
        for (long page = entry.PageNumber; page < entry.PageNumber + PagesOf(entry); page++)
        {
            if (_held.Remove(page, out NativeSlice older))
            {
                _scratch.Free(older);
            }
        }
    }

    private void FreeHeld()
    {
        foreach (NativeSlice place in _held.Values)
        {
            _scratch.Free(place);
        }

        _held.Clear();
    }

    private StorageCorruptedException Damaged(in JournalRecordHeader header, string what) =>
        new(_journal, header.FileOffset, $"transaction {header.TransactionId}: {what}, though its hash is right.");
}
