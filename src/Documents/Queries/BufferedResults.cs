using System.Buffers.Binary;
using Raven.Blittable.Memory;

namespace Raven.Documents.Queries;

//   A record: how long the key is (2 bytes), the score (4), the number of the entry (4), the key.

/// <summary>
/// Results that were not read yet, without their contents: some 30 bytes each. They are added first and taken then, in
/// the same order, and memory is given back as they are taken. One thread at a time.
/// </summary>
/// <param name="bytesMax">The most memory that they may use.</param>
public sealed class BufferedResults(long bytesMax)
{
    private const int ChunkSizeBytes = 64 * 1024;
    private const int HeadSizeBytes = 10;

    private readonly Queue<(byte[] Bytes, int Length)> _full = [];
    private byte[] _last = [];
    private int _lastLength;
    private byte[] _first = [];
    private int _firstLength;
    private int _at;

    /// <summary>How many were added.</summary>
    internal long Count { get; private set; }

    /// <summary>Adds a result.</summary>
    /// <param name="key">The key of the document, or of the group.</param>
    /// <param name="score">Its score; null for none.</param>
    /// <param name="entry">The number of the entry of the document, if the entry is needed; else -1.</param>
    /// <exception cref="ArenaLimitException">They use too much memory.</exception>
    public void Add(ReadOnlySpan<byte> key, float? score, int entry)
    {
        if (_last.Length - _lastLength < HeadSizeBytes + key.Length)
        {
            long chunks = _full.Count + (_lastLength > 0 ? 2 : 1);
            if (chunks * ChunkSizeBytes > bytesMax)
            {
                throw new ArenaLimitException(bytesMax);
            }

            if (_lastLength > 0)
            {
                _full.Enqueue((_last, _lastLength));
            }

            _last = ScratchArrays.Rent(ChunkSizeBytes);
            _lastLength = 0;
        }

        Span<byte> record = _last.AsSpan(_lastLength);
        BinaryPrimitives.WriteUInt16LittleEndian(record, (ushort)key.Length);
        BinaryPrimitives.WriteSingleLittleEndian(record[2..], score ?? float.NaN);
        BinaryPrimitives.WriteInt32LittleEndian(record[6..], entry);
        key.CopyTo(record[HeadSizeBytes..]);
        _lastLength += HeadSizeBytes + key.Length;
        Count++;
    }

    /// <summary>Takes the next one; false after the last.</summary>
    /// <param name="key">The key, valid until the next call.</param>
    /// <param name="score">Its score; null for none.</param>
    /// <param name="entry">The number of the entry; -1 if it is not needed.</param>
    public bool TryTake(out ReadOnlySpan<byte> key, out float? score, out int entry)
    {
        if (_at == _firstLength && !TryTakeChunk())
        {
            key = default;
            score = null;
            entry = -1;
            return false;
        }

        ReadOnlySpan<byte> record = _first.AsSpan(_at);
        float number = BinaryPrimitives.ReadSingleLittleEndian(record[2..]);
        score = float.IsNaN(number) ? null : number;
        entry = BinaryPrimitives.ReadInt32LittleEndian(record[6..]);
        key = record.Slice(HeadSizeBytes, BinaryPrimitives.ReadUInt16LittleEndian(record));
        _at += HeadSizeBytes + key.Length;
        return true;
    }

    private bool TryTakeChunk()
    {
        if (_first.Length > 0)
        {
            ScratchArrays.Return(_first);
        }

        (_first, _firstLength) = _full.TryDequeue(out (byte[] Bytes, int Length) chunk) ? chunk : (_last, _lastLength);
        if (ReferenceEquals(_first, _last))
        {
            _last = [];
            _lastLength = 0;
        }

        _at = 0;
        return _firstLength > 0;
    }
}
