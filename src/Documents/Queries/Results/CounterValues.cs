using System.Text;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Queries.Results;

/// <summary>Counters in projections.</summary>
internal static class CounterValues
{
    /// <summary>Finds a counter of a document.</summary>
    internal static bool TryGet(
        DocumentSnapshot snapshot, ReadOnlySpan<byte> documentId, string name, out StoredCounter counter)
    {
        Span<byte> id = stackalloc byte[DocumentId.SizeBytesMax];
        Span<byte> key = stackalloc byte[CounterKey.SizeBytesMax];
        counter = default;
        return DocumentId.TryFold(documentId, id, out int length, out _)
            && CounterKey.TryWrite(key, id[..length], Encoding.UTF8.GetBytes(name), out int keyLength, out _)
            && snapshot.TryGetCounter(key[..keyLength], out counter);
    }

    /// <summary>The id of the database in a change vector, <c>A:7-id</c>: the key of what a node added to
    /// a counter.</summary>
    internal static ReadOnlySpan<byte> DatabaseOf(ReadOnlySpan<byte> changeVector) =>
        changeVector[(changeVector.IndexOf((byte)'-') + 1)..];
}
