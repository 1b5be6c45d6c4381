using System.Buffers.Binary;

namespace Raven.Documents.Subscriptions;

/// <summary>How far a subscription is, as it is stored.</summary>
/// <param name="Generation">Counts the changes of the definition that end its workers.</param>
/// <param name="Etag">The last change that its workers are done with, or, with Concurrent, that was looked at.</param>
/// <param name="LastBatch">The number of the last batch that Concurrent workers got.</param>
/// <param name="AcknowledgedTicks">When a batch was acknowledged last, UTC; 0 if none was.</param>
/// <param name="ConnectedTicks">When a worker connected last, as of the last write of this row; 0 if none did.</param>
public readonly record struct SubscriptionPosition(
    long Generation, long Etag, long LastBatch, long AcknowledgedTicks, long ConnectedTicks)
{
    internal const int SizeBytes = 5 * sizeof(long);

    internal void Write(Span<byte> target)
    {
        BinaryPrimitives.WriteInt64LittleEndian(target, Generation);
        BinaryPrimitives.WriteInt64LittleEndian(target[8..], Etag);
        BinaryPrimitives.WriteInt64LittleEndian(target[16..], LastBatch);
        BinaryPrimitives.WriteInt64LittleEndian(target[24..], AcknowledgedTicks);
        BinaryPrimitives.WriteInt64LittleEndian(target[32..], ConnectedTicks);
    }

    internal static SubscriptionPosition Read(ReadOnlySpan<byte> source) => new(
        BinaryPrimitives.ReadInt64LittleEndian(source),
        BinaryPrimitives.ReadInt64LittleEndian(source[8..]),
        BinaryPrimitives.ReadInt64LittleEndian(source[16..]),
        BinaryPrimitives.ReadInt64LittleEndian(source[24..]),
        BinaryPrimitives.ReadInt64LittleEndian(source[32..]));
}
