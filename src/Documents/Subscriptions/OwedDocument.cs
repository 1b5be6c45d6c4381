using System.Buffers.Binary;

namespace Raven.Documents.Subscriptions;

/// <summary>A document that a subscription owes to its workers beside those behind its position.</summary>
/// <param name="Etag">The change that was sent; 0 if none was.</param>
/// <param name="Batch">The batch in which it was sent; <see cref="Waiting"/> if it is to be sent, <see cref="Aside"/>
/// if it failed too often.</param>
/// <param name="Tries">How often it was sent without an acknowledgement.</param>
/// <param name="NotBeforeTicks">It is not sent before this time, UTC.</param>
internal readonly record struct OwedDocument(long Etag, long Batch, long Tries, long NotBeforeTicks)
{
    internal const long Waiting = 0;

    internal const long Aside = -1;

    internal const int SizeBytes = 4 * sizeof(long);

    internal void Write(Span<byte> target)
    {
        BinaryPrimitives.WriteInt64LittleEndian(target, Etag);
        BinaryPrimitives.WriteInt64LittleEndian(target[8..], Batch);
        BinaryPrimitives.WriteInt64LittleEndian(target[16..], Tries);
        BinaryPrimitives.WriteInt64LittleEndian(target[24..], NotBeforeTicks);
    }

    internal static OwedDocument Read(ReadOnlySpan<byte> source) => new(
        BinaryPrimitives.ReadInt64LittleEndian(source),
        BinaryPrimitives.ReadInt64LittleEndian(source[8..]),
        BinaryPrimitives.ReadInt64LittleEndian(source[16..]),
        BinaryPrimitives.ReadInt64LittleEndian(source[24..]));
}
