using System.Runtime.InteropServices;
using Raven.Storage.Journal;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace Raven.Storage.Recovery;

/// <summary>
/// Writes what journal records say into the data file, in their order. Doing it twice gives what doing it once gives:
/// no page is patched that these records did not first give whole.
/// </summary>
internal sealed class PageReplayer(DataFile data, StorageHooks hooks) : IDisposable
{
    private readonly HashSet<long> _whole = [];
    private readonly DirectRunCheck _direct = new(data, hooks);
    private string _journal = "";
    private readonly NativeBuffer _page = new(PageHeader.PageSizeInBytes);

    /// <summary>Applies the entries of one record.</summary>
    internal void Apply(string journal, in JournalRecordHeader header, ReadOnlySpan<byte> payload)
    {
        _journal = journal;
        data.EnsureLength(header.NextPageNumber);
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

    /// <summary>Checks what is said to be in the data file already, when all records have been applied.</summary>
    internal void CheckDirectRuns() => _direct.Run();

    public void Dispose() => _page.Dispose();

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
            return;
        }

        _page.EnsureCapacity(entry.LengthBytes, 0);
        Span<byte> page = _page.Slice(entry.LengthBytes).WritableSpan;
        switch (entry.Kind)
        {
            case JournalEntryKind.Whole:
                page.Clear();
                _whole.Add(entry.PageNumber);
                break;
            case JournalEntryKind.Patch when _whole.Contains(entry.PageNumber)
                && data.ReadAt(entry.PageNumber, page) == page.Length
                && MemoryMarshal.Read<ulong>(page) == DataFile.ChecksumOf(page, data.EnvironmentId):
                break;
            case JournalEntryKind.Patch:
                throw Damaged(header, $"page {entry.PageNumber} is to be patched, but was never given whole");
            default:
                throw Damaged(header, $"the entry of page {entry.PageNumber} is of no known kind");
        }

        if (!PagePatch.TryApply(patch, page) || MemoryMarshal.Read<PageHeader>(page).PageNumber != entry.PageNumber)
        {
            throw Damaged(header, $"the patch of page {entry.PageNumber} does not fit");
        }

        DataFile.Seal(page, data.EnvironmentId);
        data.WritePages(entry.PageNumber, page);
    }

    private StorageCorruptedException Damaged(in JournalRecordHeader header, string what) =>
        new(_journal, header.FileOffset, $"transaction {header.TransactionId}: {what}, though its hash is right.");
}
