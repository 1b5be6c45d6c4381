using System.Text;
using Raven.Search;
using Raven.Server.Documents.Ids;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Server.Indexing.Maps;

//   NAME                  STRUCTURE  KEY                                           VALUE
//   References            Tree       folded id of what was read, 0x1E, of reader   (1 byte)
//   ReferencesOf          Tree       folded id of reader, 0x1E, of what was read   (1 byte)
//   ReferenceCollections  Tree       collection that is read; one space for all    (1 byte)
//
//   REF-1  What a map has read besides its document is written in the batch of that document: when it changes
//          later, the document is mapped again. Until then the index is stale, and says so.

/// <summary>Which documents the maps of an index have read besides their own. One batch at a time.</summary>
internal sealed class ReferenceTracker : IReferenceSink
{
    private const byte Separator = 0x1E;
    private const string AllCollections = " ";

    private readonly byte[] _pair = new byte[(2 * DocumentId.SizeBytesMax) + 1];
    private readonly byte[] _reader = new byte[DocumentId.SizeBytesMax];
    private WriteTransaction? _transaction;
    private volatile string[] _collections = [];
    private int _readerLength;

    private static ReadOnlySpan<byte> ByRead => "References"u8;

    private static ReadOnlySpan<byte> ByReader => "ReferencesOf"u8;

    private static ReadOnlySpan<byte> CollectionsTree => "ReferenceCollections"u8;

    private static ReadOnlySpan<byte> Mark => [1];

    /// <summary>The collections that are read; any thread.</summary>
    internal IReadOnlyList<string> Collections => _collections;

    /// <summary>Whether any document may be read, of whatever collection.</summary>
    internal bool ReadsAll => _collections.Contains(AllCollections);

    /// <summary>The index was opened: what is known of it.</summary>
    internal void Load(SearchIndex search)
    {
        using ReadTransaction transaction = search.BeginReadStructures();
        List<string> collections = [];
        if (transaction.TryOpenTree(CollectionsTree) is { } tree)
        {
            TreeCursor cursor = tree.GetCursor();
            for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
            {
                collections.Add(Encoding.UTF8.GetString(cursor.Key));
            }
        }

        _collections = [.. collections];
    }

    /// <summary>A batch begins.</summary>
    internal void Begin(WriteTransaction transaction) => _transaction = transaction;

    /// <summary>The batch has ended.</summary>
    internal void End() => _transaction = null;

    /// <summary>A document is mapped, or gone: what it has read before is no matter any more.</summary>
    internal void BeginDocument(ReadOnlySpan<byte> key)
    {
        key.CopyTo(_reader);
        _readerLength = key.Length;
        if (_collections.Length == 0 || _transaction!.TryOpenTree(ByReader) is not { } byReader)
        {
            return;
        }

        Tree byRead = _transaction.OpenOrCreateTree(ByRead);
        foreach (byte[] read in Find(byReader, key))
        {
            byReader.Delete(Pair(key, read));
            byRead.Delete(Pair(read, key));
        }
    }

    /// <inheritdoc/>
    public void Add(ReadOnlySpan<byte> id, string collection)
    {
        Span<byte> read = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(id, read, out int length, out _))
        {
            return;
        }

        ReadOnlySpan<byte> reader = _reader.AsSpan(0, _readerLength);
        _transaction!.OpenOrCreateTree(ByReader).Put(Pair(reader, read[..length]), Mark);
        _transaction.OpenOrCreateTree(ByRead).Put(Pair(read[..length], reader), Mark);
        string name = collection.Length == 0 ? AllCollections : collection;
        if (!_collections.Contains(name, StringComparer.OrdinalIgnoreCase))
        {
            _transaction.OpenOrCreateTree(CollectionsTree).Put(Encoding.UTF8.GetBytes(name), Mark);
            _collections = [.. _collections, name];
        }
    }

    /// <summary>The documents whose maps have read another one.</summary>
    internal List<byte[]> ReadersOf(ReadOnlySpan<byte> key) =>
        _transaction!.TryOpenTree(ByRead) is { } tree ? Find(tree, key) : [];

    private static List<byte[]> Find(Tree tree, ReadOnlySpan<byte> first)
    {
        List<byte[]> found = [];
        Span<byte> prefix = stackalloc byte[DocumentId.SizeBytesMax + 1];
        first.CopyTo(prefix);
        prefix[first.Length] = Separator;
        prefix = prefix[..(first.Length + 1)];
        TreeCursor cursor = tree.GetCursor();
        for (bool isMore = cursor.Seek(prefix); isMore && cursor.Key.StartsWith(prefix); isMore = cursor.MoveNext())
        {
            found.Add(cursor.Key[prefix.Length..].ToArray());
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
