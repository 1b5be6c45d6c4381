using System.Runtime.InteropServices;
using K4os.Compression.LZ4;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Log;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Replication;

/// <summary>The parts of a log record whose bytes are those that were sent.</summary>
internal ref struct LogEntries
{
    /// <summary>The most that a byte of LZ4 stands for.</summary>
    private const long Lz4FactorMax = 255;

    /// <summary>Its head.</summary>
    internal LogRecordHeader Header;

    /// <summary>The entries that were not read yet.</summary>
    internal ReadOnlySpan<byte> Entries;

    /// <summary>The numbers of the pages that were freed.</summary>
    internal ReadOnlySpan<byte> Freed;

    /// <summary>The bytes of the direct runs that were not read yet.</summary>
    internal ReadOnlySpan<byte> Direct;

    /// <summary>Takes a record apart, and checks all that can be checked without knowing the state before it.</summary>
    /// <param name="record">The record.</param>
    /// <param name="environmentId">The environment that it has to be of.</param>
    /// <param name="plain">Takes the entries if they are packed.</param>
    /// <exception cref="LogRecordException">It is none of this environment, or not whole.</exception>
    internal static LogEntries Open(ReadOnlySpan<byte> record, ulong environmentId, NativeBuffer plain)
    {
        if (record.Length < LogRecordHeader.SizeInBytes)
        {
            throw new LogRecordException(LogRefusal.NotARecord, 0, $"it has {record.Length} bytes");
        }

        LogRecordHeader header = MemoryMarshal.Read<LogRecordHeader>(record);
        if (header.Magic != LogRecordHeader.MagicValue)
        {
            throw new LogRecordException(LogRefusal.NotARecord, 0, "it does not begin like one");
        }

        if (header.FormatVersion > LogRecordHeader.CurrentVersion)
        {
            throw Refused(
                header, LogRefusal.NewerFormat,
                $"its format is {header.FormatVersion}, this build knows {LogRecordHeader.CurrentVersion}");
        }

        if (header.EnvironmentId != environmentId)
        {
            throw Refused(
                header, LogRefusal.OtherEnvironment,
                $"it is of environment {header.EnvironmentId:x16}, this is {environmentId:x16}");
        }

        if ((header.Flags & ~(LogRecordHeader.CompressedFlag | LogRecordHeader.RemadeFlag)) != 0)
        {
            throw Refused(header, LogRefusal.NewerFormat, $"this build does not know its flags {header.Flags:x}");
        }

        bool isPossible = header.EntryCount >= 0 && header.StoredBytes >= 0 && header.PlainBytes >= 0
            && header.FreedCount >= 0 && (!header.IsRemade || header.FreedCount == 0)
            && header.DirectBytes is >= 0 and <= int.MaxValue;
        if (!isPossible || header.RecordBytes != record.Length)
        {
            throw Refused(header, LogRefusal.Damaged, $"its length is {record.Length}, and not what it says");
        }

        if (header.Hash != LogRecordHeader.HashOf(record, environmentId))
        {
            throw Refused(header, LogRefusal.Damaged, "it does not have its hash");
        }

        ReadOnlySpan<byte> rest = record[LogRecordHeader.SizeInBytes..];
        ReadOnlySpan<byte> stored = rest[..header.StoredBytes];
        if (!header.IsRemade && header.EntriesHash != LogChain.HashOfEntries(stored))
        {
            throw Refused(header, LogRefusal.Damaged, "its entries do not have their hash");
        }

        rest = rest[header.StoredBytes..];
        return new LogEntries
        {
            Header = header,
            Entries = Unpack(header, stored, plain),
            Freed = rest[..(header.FreedCount * sizeof(long))],
            Direct = rest[(header.FreedCount * sizeof(long))..],
        };
    }

    /// <summary>Reads the next entry.</summary>
    /// <param name="entry">Its head.</param>
    /// <returns>Its data.</returns>
    /// <exception cref="LogRecordException">It is none of this record's state.</exception>
    internal ReadOnlySpan<byte> Next(out JournalEntryHeader entry)
    {
        if (Entries.Length < JournalEntryHeader.SizeInBytes)
        {
            throw Refused(Header, LogRefusal.Impossible, "an entry is cut off");
        }

        entry = MemoryMarshal.Read<JournalEntryHeader>(Entries);
        Entries = Entries[JournalEntryHeader.SizeInBytes..];
        bool isPossible = entry.DataBytes >= 0 && entry.DataBytes <= Entries.Length
            && entry.LengthBytes > 0 && entry.LengthBytes % PageHeader.PageSizeInBytes == 0
            && entry.PageNumber > 1
            && entry.PageNumber <= Header.NextPageNumber - (entry.LengthBytes / PageHeader.PageSizeInBytes)
            && entry.Kind is JournalEntryKind.Whole or JournalEntryKind.Patch or JournalEntryKind.Direct;
        if (!isPossible)
        {
            throw Refused(Header, LogRefusal.Impossible, $"the entry of page {entry.PageNumber} makes no sense");
        }

        ReadOnlySpan<byte> data = Entries[..entry.DataBytes];
        Entries = Entries[entry.DataBytes..];
        return data;
    }

    /// <summary>Takes the bytes of a direct run, and compares them with the hashes of its entry.</summary>
    /// <exception cref="LogRecordException">They are others.</exception>
    internal ReadOnlySpan<byte> TakeDirect(in JournalEntryHeader entry, ReadOnlySpan<byte> hashes)
    {
        int pieces = DirectRuns.PiecesOf(entry.LengthBytes);
        bool fits = entry.LengthBytes <= Direct.Length && hashes.Length == pieces * sizeof(ulong);
        ReadOnlySpan<byte> run = fits ? Direct[..entry.LengthBytes] : default;
        for (int piece = 0; fits && piece < pieces; piece++)
        {
            ulong hash = MemoryMarshal.Read<ulong>(hashes[(piece * sizeof(ulong))..]);
            fits = hash == DirectRuns.HashOf(run, piece, Header.EnvironmentId);
        }

        if (!fits)
        {
            throw Refused(
                Header, LogRefusal.Impossible, $"the bytes of the run at page {entry.PageNumber} are not its own");
        }

        Direct = Direct[entry.LengthBytes..];
        return run;
    }

    internal static LogRecordException Refused(in LogRecordHeader header, LogRefusal refusal, string what) =>
        new(refusal, header.TransactionId, what);

    private static ReadOnlySpan<byte> Unpack(
        scoped in LogRecordHeader header, ReadOnlySpan<byte> stored, NativeBuffer plain)
    {
        bool isPacked = (header.Flags & LogRecordHeader.CompressedFlag) != 0;
        if (!isPacked && header.StoredBytes == header.PlainBytes)
        {
            return stored;
        }

        long plainBytesMax = Math.Min(Lz4FactorMax * stored.Length, NativeBuffer.CapacityMax);
        if (isPacked && !stored.IsEmpty && header.PlainBytes <= plainBytesMax)
        {
            plain.EnsureCapacity(header.PlainBytes, 0);
            Span<byte> target = plain.Slice(header.PlainBytes).WritableSpan;
            if (LZ4Codec.Decode(stored, target) == target.Length)
            {
                return target;
            }
        }

        throw Refused(header, LogRefusal.Impossible, "its entries cannot be unpacked");
    }
}
