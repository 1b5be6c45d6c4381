using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Platform;

namespace Raven.Storage.Recovery;

/// <summary>Reads the records of one journal file and checks them. One thread.</summary>
internal sealed class JournalReader : IDisposable
{
    internal const int HeadBytes = JournalRecordHeader.AlignmentBytes;

    private const int ReadAheadBytes = 1 << 20;

    private readonly IFile _file;
    private readonly ulong _environmentId;
    private readonly NativeBuffer _buffer;
    private long _bufferOffset;
    private int _buffered;

    /// <summary>Reads so many bytes ahead at most; a longer record all the same.</summary>
    internal JournalReader(IFile file, ulong environmentId, int readAheadBytes = ReadAheadBytes)
    {
        _file = file;
        _environmentId = environmentId;
        Length = file.Length;
        _buffer = new NativeBuffer((int)Math.Clamp(Length, HeadBytes, readAheadBytes));
    }

    internal string Name => _file.Name;

    internal long Length { get; }

    /// <summary>
    /// The record at an offset, if its bytes are those of a record of this environment that was written there.
    /// </summary>
    /// <param name="offset">A multiple of the alignment.</param>
    /// <param name="header">Its head.</param>
    /// <param name="record">All of it, valid until the next call.</param>
    /// <exception cref="StorageVersionException">It is whole, and of a newer format.</exception>
    internal bool TryRead(long offset, out JournalRecordHeader header, out ReadOnlySpan<byte> record)
    {
        record = default;
        header = default;
        if (offset + HeadBytes > Length)
        {
            return false;
        }

        Fill(offset, HeadBytes);
        if (!JournalRecordHeader.TryReadHead(At(offset, HeadBytes), _environmentId, out header)
            || header.FileOffset != offset
            || header.SizeInFileBytes > Length - offset
            || header.SizeInFileBytes > int.MaxValue - HeadBytes)
        {
            return false;
        }

        int size = (int)header.SizeInFileBytes;
        Fill(offset, size);
        record = At(offset, size);
        if (!header.HashMatches(record))
        {
            return false;
        }

        if (header.FormatVersion > JournalRecordHeader.CurrentVersion)
        {
            throw new StorageVersionException(Name, header.FormatVersion, JournalRecordHeader.CurrentVersion);
        }

        return true;
    }

    public void Dispose()
    {
        _buffer.Dispose();
        _file.Dispose();
    }

    private ReadOnlySpan<byte> At(long offset, int length) =>
        _buffer.Span.Slice((int)(offset - _bufferOffset), length);

    private void Fill(long offset, int length)
    {
        if (offset >= _bufferOffset && offset + length <= _bufferOffset + _buffered)
        {
            return;
        }

        _buffer.EnsureCapacity(length, 0);
        int wanted = (int)Math.Min(_buffer.Capacity, Length - offset);
        _bufferOffset = offset;

        // What cannot be read is never taken for what is not there: the open fails, and nothing is cut off.
        _buffered = _file.ReadAt(offset, _buffer.Span[..wanted]);
        if (_buffered < length)
        {
            throw new StorageCorruptedException(Name, offset + _buffered, "the file became shorter while it was read.");
        }
    }
}
