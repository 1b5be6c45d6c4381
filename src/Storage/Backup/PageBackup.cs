using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.GroupCommit;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Raven.Storage.Backup;

//   A copy of pages is
//     PageBackupHeader, 32 bytes;
//     for each page or run: int64 its number, int32 its length in bytes, its bytes, sealed as in the data file;
//     int64 -1, int32 512, and a file header that names the state, without a journal.
//   A page may come more than once: the last one counts.
//
//   BACK-1  What is copied is one state: a page of a pass that is not of its last snapshot was changed after the pass
//           began, and the next pass has it again, until a pass needs one snapshot alone.
//   BACK-2  Each page is copied with its checksum, which is verified even if it was before.

/// <summary>
/// Writes the pages of an environment to a stream while it is written to: all of them, or those that have changed since
/// an earlier copy. No snapshot is held for long, so that a large environment does not hold its writers up, and while
/// there are writers it copies at a bounded rate. One use, one thread at a time.
/// </summary>
/// <param name="environment">The environment; writers and readers go on.</param>
/// <param name="baseTransaction">The state of the copy before; 0 for a whole one.</param>
public sealed class PageBackup(StorageEnvironment environment, long baseTransaction)
{
    private const int PieceBytes = 1 << 20;
    private const int EntryBytes = sizeof(long) + sizeof(int);

    /// <summary>How many passes there are at most: the last one holds its snapshot to its end.</summary>
    private const int PassesMax = 12;

    /// <summary>How many pages are copied at once then: who waits for the core meanwhile waits for less than 1 ms.
    /// </summary>
    private const int PagesPerTurnBesideWriters = 32;

    /// <summary>How long a snapshot is held for the sake of a pause alone.</summary>
    private static readonly TimeSpan PauseMax = TimeSpan.FromSeconds(1);

    private readonly ArrayPieces _pieces = new(PieceBytes);
    private readonly WriteActivity _writers = new(() => environment.LastTransactionId, environment.Options.Clock);
    private TimeSpan _owed;

    /// <summary>How long a snapshot is held.</summary>
    public TimeSpan SnapshotTimeMax { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>After how many pages it is looked whether a snapshot was held long enough; a test sets it.</summary>
    internal int PagesPerTurn { get; init; } = 256;

    /// <summary>Called at each turn with whether to take another snapshot at once; a test sets it.</summary>
    internal Func<bool>? OnTurn { get; init; }

    /// <summary>Called with how long to wait, in place of waiting; a test sets it.</summary>
    internal Func<TimeSpan, Task>? OnPause { get; init; }

    /// <summary>How many pages a second are looked at, at most, while there is all to be copied: what has changed
    /// meanwhile is copied as fast as it can be. 0 for as many as there can be.</summary>
    public int PagesPerSecondMax { get; init; }

    /// <summary>The rate of copying beside writers, as long as there is all to be copied: the more, the more of their
    /// rate it takes.</summary>
    public int BytesPerSecondBesideWriters { get; init; } = 48 << 20;

    /// <summary>Called with the bytes that were copied so far.</summary>
    public Action<long> Copied { get; init; } = _ => { };

    /// <summary>Called with the snapshot of the state that was copied, before the end is written.</summary>
    public Action<ReadTransaction> Ending { get; init; } = _ => { };

    /// <summary>The transaction whose state was copied.</summary>
    public long TransactionId { get; private set; }

    /// <summary>How many pages were copied; one that came again counts again.</summary>
    public long Pages { get; private set; }

    /// <summary>Copies.</summary>
    /// <param name="target">Takes the bytes; stays the caller's.</param>
    /// <param name="cancellation">Ends it between two pieces.</param>
    /// <exception cref="StorageCorruptedException">A page is damaged.</exception>
    /// <exception cref="SnapshotExpiredException">Writers changed more than could be copied meanwhile.</exception>
    public async Task RunAsync(Stream target, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(target);
        WriteStart();
        long from = baseTransaction;
        for (int pass = 1; ; pass++)
        {
            (long begun, bool isOneState) = await RunPassAsync(from, pass == PassesMax, target, cancellation)
                .ConfigureAwait(false);
            if (isOneState)
            {
                break;
            }

            from = begun;
        }

        await _pieces.PassAsync(target, cancellation).ConfigureAwait(false);
    }

    /// <summary>Copies all pages that have changed since a state.</summary>
    /// <returns>The state in which it began, and whether all of it is that state.</returns>
    private async Task<(long Begun, bool IsOneState)> RunPassAsync(
        long from, bool isLast, Stream target, CancellationToken cancellation)
    {
        long begun = 0;
        int snapshots = 0;
        for (long next = DataFile.FirstUsablePage - 1; next >= 0;)
        {
            await PauseAsync(TimeSpan.MaxValue, cancellation).ConfigureAwait(false);
            using ReadTransaction reader = environment.BeginRead();
            reader.Purpose = "backup";
            begun = snapshots++ == 0 ? reader.Id : begun;
            long started = environment.Options.Clock.GetTimestamp();
            bool isOver = false;
            next = Skip(reader, next);
            while (next >= 0 && !isOver)
            {
                long first = next;
                long copied = _pieces.Position;
                bool isBesideWriters = from == baseTransaction && _writers.IsRecent();
                isOver = !TryFill(reader, ref next, from, isLast, TurnOf(isBesideWriters));
                await _pieces.PassAsync(target, cancellation).ConfigureAwait(false);
                Copied(_pieces.Position);
                Owe(
                    from == baseTransaction ? (next < 0 ? reader.NextPageNumber : next) - first : 0,
                    isBesideWriters ? _pieces.Position - copied : 0);
                await PauseAsync(PauseMax, cancellation).ConfigureAwait(false);
                isOver |= !isLast && (_owed > PauseMax || OnTurn?.Invoke() == true
                    || environment.Options.Clock.GetElapsedTime(started) > SnapshotTimeMax);
            }

            if (next < 0 && snapshots == 1)
            {
                WriteEnd(reader);
            }
        }

        return (begun, snapshots == 1);
    }

    /// <summary>Notes how long so many pages, and so many bytes beside writers, may take.</summary>
    private void Owe(long pages, long bytesBesideWriters) => _owed += TimeSpan.FromSeconds(Math.Max(
        PagesPerSecondMax == 0 ? 0 : (double)pages / PagesPerSecondMax,
        (double)bytesBesideWriters / BytesPerSecondBesideWriters));

    /// <summary>How many pages are looked at at once.</summary>
    private int TurnOf(bool isBesideWriters)
    {
        int turn = isBesideWriters ? Math.Min(PagesPerTurn, PagesPerTurnBesideWriters) : PagesPerTurn;
        return PagesPerSecondMax > 0 ? Math.Min(turn, PagesPerSecondMax) : turn;
    }

    /// <summary>Waits for as long as what was looked at may take, but for a part that is left for later.</summary>
    private async Task PauseAsync(TimeSpan max, CancellationToken cancellation)
    {
        TimeSpan pause = _owed < max ? _owed : max;
        if (pause > TimeSpan.Zero)
        {
            _owed -= pause;
            await (OnPause is null ? Task.Delay(pause, environment.Options.Clock, cancellation) : OnPause(pause))
                .ConfigureAwait(false);
        }
    }

    /// <summary>Finds the first page at or behind one that is no part of a run that begins before it.</summary>
    private static long Skip(ReadTransaction reader, long page)
    {
        long at = DataFile.FirstUsablePage - 1;
        while (at < page && at < reader.NextPageNumber)
        {
            at += IsFree(reader, at) ? 1 : PagesOf(reader.GetPage(at));
        }

        return at < reader.NextPageNumber ? at : -1;
    }

    /// <summary>Copies some pages, with the next one as the result.</summary>
    /// <returns>False if the snapshot was taken away meanwhile: another one goes on.</returns>
    private bool TryFill(ReadTransaction reader, ref long page, long from, bool isLast, int turn)
    {
        try
        {
            page = Fill(reader, page, from, turn);
            return true;
        }
        catch (SnapshotExpiredException) when (!isLast)
        {
            return false;
        }
    }

    /// <summary>Copies some pages.</summary>
    /// <returns>The next page; -1 at the end.</returns>
    private long Fill(ReadTransaction reader, long page, long from, int turn)
    {
        for (int i = 0; i < turn && !_pieces.IsFull; i++)
        {
            if (page >= reader.NextPageNumber)
            {
                return -1;
            }

            if (IsFree(reader, page))
            {
                page++;
                continue;
            }

            NativeSlice source = reader.GetPage(page);
            if (MemoryMarshal.AsRef<PageHeader>(source.Span).TransactionId > from || from == 0)
            {
                Write(reader, page, source);
            }

            page += PagesOf(source);
        }

        return page;
    }

    private static bool IsFree(ReadTransaction reader, long page) =>
        !FreeSpace.IsMapPage(page) && FreeSpace.IsFree(reader, page);

    private static int PagesOf(NativeSlice page) => page.Length / PageHeader.PageSizeInBytes;

    private void Write(ReadTransaction reader, long page, NativeSlice source)
    {
        Span<byte> entry = _pieces.Take(EntryBytes + source.Length);
        BinaryPrimitives.WriteInt64LittleEndian(entry, page);
        BinaryPrimitives.WriteInt32LittleEndian(entry[sizeof(long)..], source.Length);
        Span<byte> copy = entry[EntryBytes..];
        source.Span.CopyTo(copy);
        if (reader.IsInDataFile(page))
        {
            // It may have been read and checked long ago: what is in the file now is copied.
            StorageBackup.RequireIntact(copy, page, environment.EnvironmentId);
        }
        else
        {
            DataFile.Seal(copy, environment.EnvironmentId);
        }

        Pages += PagesOf(source);
    }

    private void WriteStart()
    {
        var header = new PageBackupHeader
        {
            Magic = PageBackupHeader.MagicValue,
            FormatVersion = PageBackupHeader.CurrentVersion,
            PageSizeBytes = PageHeader.PageSizeInBytes,
            EnvironmentId = environment.EnvironmentId,
            BaseTransactionId = baseTransaction,
        };
        MemoryMarshal.Write(_pieces.Take(PageBackupHeader.SizeInBytes), in header);
    }

    private void WriteEnd(ReadTransaction reader)
    {
        TransactionId = reader.Id;
        Ending(reader);
        Span<byte> entry = _pieces.Take(EntryBytes + FileHeader.SizeInBytes);
        BinaryPrimitives.WriteInt64LittleEndian(entry, -1);
        BinaryPrimitives.WriteInt32LittleEndian(entry[sizeof(long)..], FileHeader.SizeInBytes);
        var header = new FileHeader { EnvironmentId = environment.EnvironmentId, Point = reader.Point };
        header.Point.JournalFileNumber = header.Point.JournalOffset = header.Point.JournalLengthBytes = 0;
        header.WriteTo(entry[EntryBytes..]);
    }

    /// <summary>Collects bytes, and passes them on in pieces.</summary>
    private sealed class ArrayPieces(int pieceBytes)
    {
        private byte[] _buffer = new byte[2 * pieceBytes];
        private int _used;
        private long _passed;

        internal bool IsFull => _used >= pieceBytes;

        internal long Position => _passed + _used;

        internal Span<byte> Take(int length)
        {
            if (_used + length > _buffer.Length)
            {
                Array.Resize(ref _buffer, Math.Max(_used + length, _buffer.Length * 2));
            }

            Span<byte> taken = _buffer.AsSpan(_used, length);
            _used += length;
            return taken;
        }

        internal async ValueTask PassAsync(Stream target, CancellationToken cancellation)
        {
            cancellation.ThrowIfCancellationRequested();
            await target.WriteAsync(_buffer.AsMemory(0, _used), cancellation).ConfigureAwait(false);
            _passed += _used;
            _used = 0;
            if (_buffer.Length > 4 * pieceBytes)
            {
                _buffer = new byte[2 * pieceBytes];
            }
        }
    }
}
