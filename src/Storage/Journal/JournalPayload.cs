using K4os.Compression.LZ4;
using Raven.Storage.Errors;
using Raven.Storage.Platform;

namespace Raven.Storage.Journal;

/// <summary>The entries of a journal record, unpacked if they were packed.</summary>
internal static class JournalPayload
{
    /// <summary>The payload as it was before it was stored.</summary>
    /// <exception cref="StorageCorruptedException">It cannot be unpacked, though its hash is right.</exception>
    internal static ReadOnlySpan<byte> Open(
        in JournalRecordHeader header, ReadOnlySpan<byte> record, NativeBuffer buffer, string file)
    {
        ReadOnlySpan<byte> stored = record.Slice(JournalRecordHeader.SizeInBytes, header.StoredBytes);
        int flags = header.Flags & ~(JournalRecordHeader.LogFlag | JournalRecordHeader.OwnEntriesFlag);
        if (flags == 0 && header.StoredBytes == header.PlainBytes)
        {
            return stored;
        }

        // In LZ4 no byte stands for more than 255: a greater length is damage, and allocates no memory.
        if (flags == JournalRecordHeader.CompressedFlag && header.PlainBytes <= PlainBytesMax(stored.Length))
        {
            buffer.EnsureCapacity(header.PlainBytes, 0);
            Span<byte> plain = buffer.Slice(header.PlainBytes).WritableSpan;
            if (!stored.IsEmpty && LZ4Codec.Decode(stored, plain) == plain.Length)
            {
                return plain;
            }
        }

        throw new StorageCorruptedException(
            file, header.FileOffset, "the payload cannot be unpacked, though its hash is right.");
    }

    private static long PlainBytesMax(int storedBytes) => Math.Min(255L * storedBytes, NativeBuffer.CapacityMax);
}
