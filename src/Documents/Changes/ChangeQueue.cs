using System.Buffers.Binary;
using Raven.Blittable.Memory;

namespace Raven.Documents.Changes;

//   one record:  1 byte kind (1 document, 2 counter, 3 time series), int64 value, then texts, each with its length
//   (int32) before it

/// <summary>
/// Changes on their way from the threads that commit to the one that notifies the watches: copied into a buffer, so
/// that a commit waits for no watch. Not thread-safe: its hub locks.
/// </summary>
internal sealed class ChangeQueue
{
    internal const byte DocumentKind = 1;
    internal const byte CounterKind = 2;
    internal const byte TimeSeriesKind = 3;
    internal const int TextsMax = 6;

    private const int KeptSizeBytesMax = 1 << 20;

    private byte[] _bytes = [];

    /// <summary>The bytes that wait.</summary>
    internal int Length { get; private set; }

    internal void Add(in DocumentChange change)
    {
        Begin(DocumentKind, (long)change.Type);
        Text(change.Id);
        Text(change.Collection);
        Text(change.ChangeVector);
    }

    internal void Add(in CounterChange change)
    {
        Begin(CounterKind, change.Value);
        Text(change.DocumentId);
        Text(change.Collection);
        Text(change.ChangeVector);
        Text(change.Name);
        Text(change.Type);
    }

    internal void Add(in TimeSeriesChange change)
    {
        Begin(TimeSeriesKind, change.From);
        Text(change.DocumentId);
        Text(change.Collection);
        Text(change.ChangeVector);
        Text(change.Name);
        Text(change.Type);
        Span<byte> to = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(to, change.To);
        Text(to);
    }

    /// <summary>Takes a record off.</summary>
    /// <param name="position">Where it begins; then, where it ends.</param>
    /// <param name="kind">Its kind.</param>
    /// <param name="value">Its number.</param>
    /// <param name="texts">Where its texts are: begins and lengths.</param>
    internal void Read(ref int position, out byte kind, out long value, Span<(int Start, int Length)> texts)
    {
        kind = _bytes[position];
        value = BinaryPrimitives.ReadInt64LittleEndian(_bytes.AsSpan(position + 1));
        position += 1 + sizeof(long);
        int count = kind switch { DocumentKind => 3, CounterKind => 5, _ => TextsMax };
        for (int i = 0; i < count; i++)
        {
            int length = BinaryPrimitives.ReadInt32LittleEndian(_bytes.AsSpan(position));
            position += sizeof(int);
            texts[i] = (position, length);
            position += length;
        }
    }

    internal ReadOnlySpan<byte> Text((int Start, int Length) place) => _bytes.AsSpan(place.Start, place.Length);

    internal void Clear()
    {
        Length = 0;
        if (_bytes.Length > KeptSizeBytesMax)
        {
            Release();
        }
    }

    internal void Release()
    {
        if (_bytes.Length > 0)
        {
            ScratchArrays.Return(_bytes);
            _bytes = [];
        }
    }

    private void Begin(byte kind, long value)
    {
        Span<byte> target = Room(1 + sizeof(long));
        target[0] = kind;
        BinaryPrimitives.WriteInt64LittleEndian(target[1..], value);
    }

    private void Text(ReadOnlySpan<byte> text)
    {
        Span<byte> target = Room(sizeof(int) + text.Length);
        BinaryPrimitives.WriteInt32LittleEndian(target, text.Length);
        text.CopyTo(target[sizeof(int)..]);
    }

    private Span<byte> Room(int length)
    {
        if (_bytes.Length - Length < length)
        {
            byte[] larger = ScratchArrays.Rent(Math.Max(Length + length, _bytes.Length * 2));
            _bytes.AsSpan(0, Length).CopyTo(larger);
            Release();
            _bytes = larger;
        }

        Span<byte> room = _bytes.AsSpan(Length, length);
        Length += length;
        return room;
    }
}
