using System.Buffers.Binary;
using Raven.Documents.Ids;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Indexing.Maps;

/// <summary>
/// The pairs of documents and what their maps have read, of one kind: two trees of the index, one for each direction.
/// One batch at a time.
/// </summary>
/// <param name="byRead">The tree by what was read.</param>
/// <param name="byReader">The tree by the reader.</param>
internal sealed class ReferencePairs(byte[] byRead, byte[] byReader)
{
    /// <summary>How many readers are returned by one call.</summary>
    internal const int PageSize = 256;

    private const byte Separator = 0x1E;

    private readonly byte[] _pair = new byte[(2 * DocumentId.SizeBytesMax) + 1];
    private WriteTransaction? _transaction;

    private static ReadOnlySpan<byte> Mark => [1];

    /// <summary>Whether any pair was ever stored.</summary>
    internal bool Any(Transaction transaction) => transaction.TryOpenTree(byRead) is not null;

    /// <summary>Begins a batch in its transaction.</summary>
    internal void Begin(WriteTransaction transaction) => _transaction = transaction;

    /// <summary>Ends the batch.</summary>
    internal void End() => _transaction = null;

    /// <summary>Removes what a document has read.</summary>
    /// <param name="reader">Its folded id.</param>
    internal void Forget(ReadOnlySpan<byte> reader)
    {
        if (_transaction!.TryOpenTree(byReader) is not { } readers)
        {
            return;
        }

        Tree reads = _transaction.OpenOrCreateTree(byRead);
        foreach (byte[] read in Find(readers, reader, default, long.MaxValue, int.MaxValue))
        {
            readers.Delete(Pair(reader, read));
            reads.Delete(Pair(read, reader));
        }
    }

    /// <summary>Notes that a document has read something.</summary>
    /// <param name="read">What it has read.</param>
    /// <param name="reader">Its folded id.</param>
    /// <param name="seenEtag">The last etag of the documents when it read.</param>
    internal void Add(ReadOnlySpan<byte> read, ReadOnlySpan<byte> reader, long seenEtag)
    {
        Span<byte> seen = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(seen, seenEtag);
        _transaction!.OpenOrCreateTree(byReader).Put(Pair(reader, read), Mark);
        _transaction.OpenOrCreateTree(byRead).Put(Pair(read, reader), seen);
    }

    /// <summary>Some of the documents whose maps have read something before a change, in the order of
    /// their keys.</summary>
    /// <param name="read">What they have read.</param>
    /// <param name="etag">The change: readers that have seen it already are left out.</param>
    /// <param name="after">The last reader of the call before; empty to begin with the first.</param>
    /// <returns>No more than <see cref="PageSize"/>; fewer if there are no more.</returns>
    internal List<byte[]> ReadersOf(ReadOnlySpan<byte> read, long etag, ReadOnlySpan<byte> after) =>
        _transaction!.TryOpenTree(byRead) is { } tree ? Find(tree, read, after, etag, PageSize) : [];

    private List<byte[]> Find(
        Tree tree, ReadOnlySpan<byte> first, ReadOnlySpan<byte> after, long etag, int countMax)
    {
        List<byte[]> found = [];
        ReadOnlySpan<byte> from = Pair(first, after);
        ReadOnlySpan<byte> prefix = from[..(first.Length + 1)];
        TreeCursor cursor = tree.GetCursor();
        bool isMore = cursor.Seek(from);
        if (isMore && after.Length > 0 && cursor.Key.SequenceEqual(from))
        {
            isMore = cursor.MoveNext();
        }

        for (; isMore && found.Count < countMax && cursor.Key.StartsWith(prefix); isMore = cursor.MoveNext())
        {
            ReadOnlySpan<byte> value = cursor.Value.Span;
            if (value.Length != sizeof(long) || BinaryPrimitives.ReadInt64LittleEndian(value) < etag)
            {
                found.Add(cursor.Key[prefix.Length..].ToArray());
            }
        }

        return found;
    }

    private ReadOnlySpan<byte> Pair(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        first.CopyTo(_pair);
        _pair[first.Length] = Separator;
        second.CopyTo(_pair.AsSpan(first.Length + 1));
        return _pair.AsSpan(0, first.Length + 1 + second.Length);
    }
}
