using System.Diagnostics;
using System.Runtime.InteropServices;
using K4os.Compression.LZ4;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Platform;

namespace Raven.Storage.Journal;

/// <summary>The bytes of one commit on their way to the journal. The memory is reused by the next commit.</summary>
internal sealed class CommitRecord : IDisposable
{
    private const int CapacityMin = 64 << 10;
    private const int CapacityKeptMax = 16 << 20;

    private readonly StorageHooks _hooks;
    private readonly NativeBuffer _plain = new(CapacityMin);
    private readonly NativeBuffer _packed = new(JournalRecordHeader.AlignmentBytes);
    private readonly NativeBuffer _switch = new(JournalRecordHeader.AlignmentBytes);

    private NativeBuffer _buffer;

    internal CommitRecord(StorageHooks hooks)
    {
        _hooks = hooks;
        _buffer = _plain;
    }

    /// <summary>True if packing was tried for the current pages.</summary>
    internal bool WasPackingTried { get; private set; }

    /// <summary>How long packing took.</summary>
    internal long PackingTicks { get; private set; }

    /// <summary>What precedes the payload; not sealed yet.</summary>
    internal JournalRecordHeader Header;

    /// <summary>The sealed record with its padding, after <see cref="Seal"/>.</summary>
    internal ReadOnlySpan<byte> Bytes => _buffer.Slice((int)Header.SizeInFileBytes).Span;

    /// <summary>The encoded pages as they will be stored, before <see cref="Seal"/> or after it.</summary>
    internal ReadOnlySpan<byte> Payload =>
        _buffer.Slice((int)Header.SizeInFileBytes).Span.Slice(JournalRecordHeader.SizeInBytes, Header.StoredBytes);

    /// <summary>Room for the record that ends a journal file.</summary>
    internal Span<byte> SwitchBuffer => _switch.Span;

    /// <summary>
    /// Writes the changed pages: as a patch if a record behind the last flush has the whole page, otherwise whole.
    /// </summary>
    /// <param name="dirty">The pages.</param>
    /// <param name="table">Knows which version of a page is the newest.</param>
    /// <param name="boundary">The transaction up to which the next flush will write to the data file.</param>
    /// <param name="environmentId">Seeds the hashes of direct runs.</param>
    /// <param name="packing">Says whether a record that takes more than one block is packed.</param>
    /// <param name="clock">Measures the time of packing.</param>
    /// <exception cref="TransactionTooLargeException">The record would be longer than one can be.</exception>
    internal void Encode(
        DirtyPages dirty, PageTable table, long boundary, ulong environmentId, RecordPacking packing,
        TimeProvider clock)
    {
        _buffer = _plain;
        _plain.Trim(CapacityKeptMax);
        _packed.Trim(CapacityKeptMax);
        int position = JournalRecordHeader.SizeInBytes;
        int entries = 0;
        for (int i = 0; i < dirty.Count; i++)
        {
            ref DirtyPage page = ref dirty[i];
            if (!page.Place.IsEmpty)
            {
                if (page.IsDirect)
                {
                    position = EncodeDirect(page, environmentId, position);
                    entries++;
                    continue;
                }

                bool canPatch = !page.Base.IsEmpty && table.NewestTransaction(page.Page) > boundary;
                _hooks.Mark(canPatch ? CoverageMark.PatchJournaled : CoverageMark.WholePageJournaled);
                position = Encode(page, canPatch, position);
                entries++;
            }
        }

        Header = default;
        Header.Kind = JournalRecordKind.Transaction;
        Header.EntryCount = entries;
        Header.StoredBytes = Header.PlainBytes = position - JournalRecordHeader.SizeInBytes;
        WasPackingTried = Header.SizeInFileBytes > JournalRecordHeader.AlignmentBytes
            && packing.IsWorthwhile(Header.PlainBytes);
        PackingTicks = 0;
        if (!WasPackingTried || !TryPack(clock))
        {
            _buffer.EnsureCapacity((int)Header.SizeInFileBytes, position);
        }
    }

    /// <summary>Completes the record once its place and the hash before it are known.</summary>
    internal ulong Seal() => Header.Seal(_buffer.Slice((int)Header.SizeInFileBytes).WritableSpan);

    public void Dispose()
    {
        _plain.Dispose();
        _packed.Dispose();
        _switch.Dispose();
    }

    /// <summary>Packs the payload, if that saves a block.</summary>
    private bool TryPack(TimeProvider clock)
    {
        long start = clock.GetTimestamp();
        int head = JournalRecordHeader.SizeInBytes;
        int shorter = (int)Header.SizeInFileBytes - JournalRecordHeader.AlignmentBytes;
        _packed.EnsureCapacity(shorter, 0);
        int written = LZ4Codec.Encode(
            _plain.Slice(head + Header.PlainBytes).Span[head..], _packed.Slice(shorter).WritableSpan[head..]);
        PackingTicks = clock.GetTimestamp() - start;
        if (written <= 0)
        {
            return false;
        }

        _hooks.Mark(CoverageMark.RecordCompressed);
        Header.StoredBytes = written;
        Header.Flags = JournalRecordHeader.CompressedFlag;
        _buffer = _packed;
        return true;
    }

    /// <summary>Encodes the hashes of a run that is in the data file already.</summary>
    private int EncodeDirect(in DirtyPage page, ulong environmentId, int position)
    {
        int pieces = DirectRuns.PiecesOf(page.Place.Length);
        var entry = new JournalEntryHeader
        {
            PageNumber = page.Page,
            LengthBytes = page.Place.Length,
            Kind = JournalEntryKind.Direct,
            DataBytes = pieces * sizeof(ulong),
        };
        int end = Reserve(position, JournalEntryHeader.SizeInBytes + entry.DataBytes);
        Span<byte> target = _buffer.Span[position..end];
        MemoryMarshal.Write(target, in entry);
        target = target[JournalEntryHeader.SizeInBytes..];
        for (int i = 0; i < pieces; i++)
        {
            MemoryMarshal.Write(target[(i * sizeof(ulong))..], DirectRuns.HashOf(page.Place.Span, i, environmentId));
        }

        return end;
    }

    private int Encode(in DirtyPage page, bool canPatch, int position)
    {
        NativeSlice place = page.Place;
        int room = JournalEntryHeader.SizeInBytes + PagePatch.SizeMax(place.Length);
        Reserve(position, room);
        Span<byte> target = _buffer.Span.Slice(position, room);
        var entry = new JournalEntryHeader
        {
            PageNumber = page.Page,
            LengthBytes = place.Length,
            Kind = canPatch ? JournalEntryKind.Patch : JournalEntryKind.Whole,
            DataBytes = canPatch
                ? CreatePatch(page, target[JournalEntryHeader.SizeInBytes..])
                : PagePatch.Create(default, place.Span, target[JournalEntryHeader.SizeInBytes..]),
        };
        MemoryMarshal.Write(target, in entry);
        return position + JournalEntryHeader.SizeInBytes + entry.DataBytes;
    }

    /// <summary>Makes room for an entry, and returns its end.</summary>
    /// <exception cref="TransactionTooLargeException">The record would be longer than one can be.</exception>
    private int Reserve(int position, int length)
    {
        long end = (long)position + length;
        if (end > _hooks.RecordBytesMax)
        {
            throw new TransactionTooLargeException("a record of the journal", end, _hooks.RecordBytesMax);
        }

        _buffer.EnsureCapacity((int)end, position);
        return (int)end;
    }

    private static int CreatePatch(in DirtyPage page, Span<byte> target)
    {
        ReadOnlySpan<byte> older = page.Base.Span;
        ReadOnlySpan<byte> newer = page.Place.Span;
        Debug.Assert(
            older[page.LowEnd..].CommonPrefixLength(newer[page.LowEnd..]) + page.LowEnd
                >= (page.HighEnd > 0 ? Math.Max(page.HighStart, page.LowEnd) : newer.Length)
            && older[Math.Max(page.HighEnd, page.LowEnd)..].SequenceEqual(newer[Math.Max(page.HighEnd, page.LowEnd)..]),
            "A page was changed in a place that was not noted.");
        return PagePatch.Create(older, newer, page.LowEnd, page.HighStart, page.HighEnd, target);
    }
}
