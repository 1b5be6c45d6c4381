using System.Numerics;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Log;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace Raven.Storage.Replication;

// APPLY-1  A record is applied in a write transaction, by copying pages and patching the copies, and is committed by
//          the same steps as any other: so each page of the state is the primary's byte for byte, but for its checksum,
//          which is made when it is written to the data file.
// APPLY-2  A record that is not the next one of the own log, or does not fit its state, is refused before anything of
//          it is written. The free pages that memory counts are changed last.
// APPLY-3  A record that was applied is parked (PARK-1): it is durable, and nobody sees it before Publish.

/// <summary>Takes over the commits of another node, record by record. One caller at a time.</summary>
/// <param name="environment">The environment of the same id, with the state before the first of them.</param>
public sealed class LogApplier(StorageEnvironment environment) : IDisposable
{
    private const int PlainBytesKeptMax = 16 << 20;

    private readonly NativeBuffer _plain = new(JournalRecordHeader.AlignmentBytes);
    private readonly List<long> _parts = [];
    private readonly List<(long First, long End)> _runs = [];
    private readonly List<long> _freed = [];

    /// <summary>
    /// Applies a log record (<see cref="CommitShipment.CopyTo"/>) and writes it to the own journal. When it returns
    /// that is durable, and may be acknowledged; readers see it after <see cref="Publish"/>. Waits for the disk, and
    /// for a flush if the journal has too much.
    /// </summary>
    /// <returns>Where the log ends now.</returns>
    /// <exception cref="LogRecordException">The record is refused; nothing has changed.</exception>
    /// <exception cref="InvalidOperationException">The record before it is not published.</exception>
    /// <exception cref="StorageBusyException">There is no memory for it just now; nothing has changed.</exception>
    /// <exception cref="StorageIOException">The disk refused.</exception>
    public LogPosition Apply(ReadOnlySpan<byte> record)
    {
        _plain.Trim(PlainBytesKeptMax);
        LogEntries entries = LogEntries.Open(record, environment.EnvironmentId, _plain);
        if (environment.Commits.IsParked)
        {
            throw new InvalidOperationException(
                $"Transaction {environment.LogDurable.TransactionId} is not published, and "
                + $"{entries.Header.TransactionId} cannot be applied before.");
        }

        using WriteTransaction transaction = environment.BeginWrite();
        RequireNext(entries.Header, environment.CommitState.Last);
        ApplyTo(transaction, ref entries);
        if (environment.Commits.TryPrepare(transaction, out PreparedCommit commit))
        {
            environment.Commits.Write(commit);
            environment.Commits.Park(commit, owner: null);
        }

        return entries.Header.Position;
    }

    /// <summary>Lets readers see the record that was applied last, which its group has committed.</summary>
    /// <returns>False if none of that transaction waits for it.</returns>
    /// <exception cref="StoragePoisonedException">It could not be shown; it is there when the environment is opened
    /// again.</exception>
    public bool Publish(long transactionId)
    {
        bool isPublished = environment.SettleCommit(transactionId);
        return !isPublished || environment.Fault is not { } fault
            ? isPublished
            : throw new StoragePoisonedException(fault);
    }

    /// <inheritdoc/>
    public void Dispose() => _plain.Dispose();

    /// <summary>Requires that a record continues the own log.</summary>
    private static void RequireNext(in LogRecordHeader header, in CommitPoint last)
    {
        if (header.TransactionId != last.TransactionId + 1)
        {
            throw LogEntries.Refused(
                header, LogRefusal.NotNext, $"the next transaction here is {last.TransactionId + 1}");
        }

        if (header.PreviousLogHash != last.LogHash)
        {
            throw LogEntries.Refused(
                header, LogRefusal.OtherHistory,
                $"it follows {header.PreviousLogHash:x16}, and the log here is {last.LogHash:x16} at transaction "
                + $"{last.TransactionId}");
        }

        ulong hash = LogChain.Next(
            last.LogHash, header.TransactionId, header.Epoch, header.NextPageNumber, header.CatalogRecord,
            header.EntriesHash);
        if (hash != header.LogHash)
        {
            throw LogEntries.Refused(header, LogRefusal.OtherHistory, "its hash of the log is not that of its content");
        }

        if (header.NextPageNumber < last.NextPageNumber || header.EntryCount == 0
            || header.CommitTimeTicks < last.CommitTimeTicks)
        {
            throw LogEntries.Refused(header, LogRefusal.Impossible, "it makes a state that cannot follow this one");
        }
    }

    private void ApplyTo(WriteTransaction transaction, ref LogEntries entries)
    {
        LogRecordHeader header = entries.Header;
        var stamp = new LogStamp(header.Position, header.EntriesHash, header.CommitTimeTicks);
        int partsBefore = FreeSpace.PartCountFor(transaction.NextPageNumber);
        transaction.BeginApplied(stamp, header.NextPageNumber, header.CatalogRecord);
        _parts.Clear();
        _runs.Clear();
        _freed.Clear();
        for (int i = 0; i < header.EntryCount; i++)
        {
            ReadOnlySpan<byte> data = entries.Next(out JournalEntryHeader entry);
            ApplyEntry(transaction, ref entries, entry, data);
        }

        if (!entries.Entries.IsEmpty || !entries.Direct.IsEmpty)
        {
            throw LogEntries.Refused(header, LogRefusal.Impossible, "something follows its last entry");
        }

        for (int part = partsBefore; part < FreeSpace.PartCountFor(header.NextPageNumber); part++)
        {
            if (!_parts.Contains(FreeSpace.PageOfPart(part)))
            {
                throw LogEntries.Refused(header, LogRefusal.Impossible, $"part {part} of the free pages is missing");
            }
        }

        for (int i = 0; i < header.FreedCount; i++)
        {
            ApplyFreed(transaction, header, MemoryMarshal.Read<long>(entries.Freed[(i * sizeof(long))..]));
        }

        if (header.IsRemade)
        {
            FindFreed(transaction);
        }

        TakeOverFreeSpace(transaction);
    }

    private void ApplyEntry(
        WriteTransaction transaction, ref LogEntries entries, in JournalEntryHeader entry, ReadOnlySpan<byte> data)
    {
        LogRecordHeader header = entries.Header;
        long number = entry.PageNumber;
        bool isPatch = entry.Kind == JournalEntryKind.Patch;
        if (transaction.Dirty.Contains(number))
        {
            throw LogEntries.Refused(header, LogRefusal.Impossible, $"it has page {number} twice");
        }

        NativeSlice current = isPatch ? PageToPatch(transaction, header, entry) : default;
        int pages = entry.LengthBytes / PageHeader.PageSizeInBytes;
        ReadOnlySpan<byte> run = entry.Kind == JournalEntryKind.Direct ? entries.TakeDirect(entry, data) : default;
        ref DirtyPage dirty = ref transaction.AddApplied(number, entry.LengthBytes, current);
        Span<byte> page = dirty.Place.WritableSpan;
        bool fits = true;
        if (entry.Kind == JournalEntryKind.Direct)
        {
            run.CopyTo(page);
            dirty.IsDirect = transaction.MayBeDirect(number, pages);
        }
        else
        {
            if (isPatch)
            {
                current.Span.CopyTo(page);
            }
            else
            {
                page.Clear();
            }

            fits = PagePatch.TryApply(data, page);
        }

        PageHeader made = MemoryMarshal.Read<PageHeader>(page);
        int length = made.RunLengthBytes == 0 ? 1 : PageHeader.PagesForRun(Math.Max(made.RunLengthBytes, 0));
        bool isMap = FreeSpace.IsMapPage(number);
        if (!fits || made.PageNumber != number || made.TransactionId != header.TransactionId || length != pages
            || (made.Kind == PageKind.FreeSpace) != isMap)
        {
            throw LogEntries.Refused(header, LogRefusal.Impossible, $"what it makes of page {number} is no such page");
        }

        if (isMap)
        {
            _parts.Add(number);
        }
        else if (pages > 1)
        {
            _runs.Add((number, number + pages));
        }
    }

    private static NativeSlice PageToPatch(
        WriteTransaction transaction, in LogRecordHeader header, in JournalEntryHeader entry)
    {
        bool isThere = entry.PageNumber < transaction.Environment.CommitState.Last.NextPageNumber
            && (FreeSpace.IsMapPage(entry.PageNumber) || !FreeSpace.IsFree(transaction, entry.PageNumber));
        NativeSlice current = isThere ? transaction.GetPage(entry.PageNumber) : default;
        return current.Length == entry.LengthBytes
            ? current
            : throw LogEntries.Refused(
                header, LogRefusal.Impossible, $"it patches page {entry.PageNumber}, which is none of its length here");
    }

    /// <summary>Frees a page or run. The map says so already, but where a new run took the page at once.</summary>
    private void ApplyFreed(WriteTransaction transaction, in LogRecordHeader header, long number)
    {
        bool isPossible = number > 2 && number < header.NextPageNumber && !FreeSpace.IsMapPage(number)
            && !transaction.Dirty.Contains(number)
            && (FreeSpace.IsFree(transaction, number)
                || _runs.Exists(run => run.First < number && number < run.End));
        if (!isPossible)
        {
            throw LogEntries.Refused(header, LogRefusal.Impossible, $"it frees page {number}, which is in use");
        }

        transaction.Dirty.EnsureRoom();
        _ = transaction.Dirty.Add(number);
    }

    /// <summary>
    /// Frees the pages that a record does not name (LOG-3): those whose versions memory has, and that are free now or
    /// inside a new run.
    /// </summary>
    private void FindFreed(WriteTransaction transaction)
    {
        foreach (long number in _parts)
        {
            ref DirtyPage page = ref transaction.Dirty.Find(number);
            if (number < transaction.Environment.CommitState.Last.NextPageNumber)
            {
                ReadOnlySpan<ulong> before = FreeSpace.WordsOf(Before(transaction, page).WritableSpan);
                ReadOnlySpan<ulong> after = FreeSpace.WordsOf(page.Place.WritableSpan);
                long first = number == FreeSpace.PageOfPart(0) ? 0 : number;
                for (int word = 0; word < after.Length; word++)
                {
                    for (ulong freed = after[word] & ~before[word]; freed != 0; freed &= freed - 1)
                    {
                        _freed.Add(first + (word * 64L) + BitOperations.TrailingZeroCount(freed));
                    }
                }
            }
        }

        foreach ((long first, long end) in _runs)
        {
            for (long number = first + 1; number < end; number++)
            {
                _freed.Add(number);
            }
        }

        foreach (long number in _freed)
        {
            if (transaction.HasVersion(number) && !transaction.Dirty.Contains(number))
            {
                transaction.Dirty.EnsureRoom();
                _ = transaction.Dirty.Add(number);
            }
        }
    }

    /// <summary>Nothing can fail any more: what memory knows of the free pages follows their map.</summary>
    private void TakeOverFreeSpace(WriteTransaction transaction)
    {
        _parts.Sort();
        foreach (long number in _parts)
        {
            ref DirtyPage page = ref transaction.Dirty.Find(number);
            long index = number == 2 ? 0 : number / FreeSpace.PagesPerPart;
            bool isNew = number >= transaction.Environment.CommitState.Last.NextPageNumber;
            ReadOnlySpan<ulong> before = isNew ? default : FreeSpace.WordsOf(Before(transaction, page).WritableSpan);
            transaction.Environment.FreeSpace.TakeOver((int)index, before, FreeSpace.WordsOf(page.Place.WritableSpan));
        }
    }

    /// <summary>The page as the state before had it: a whole entry has no base.</summary>
    private static NativeSlice Before(WriteTransaction transaction, in DirtyPage page) =>
        page.Base.IsEmpty ? transaction.CommittedPage(page.Page) : page.Base;
}
