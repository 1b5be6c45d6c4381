using System.Text;
using Raven.Documents.Ids;
using Raven.Search;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Indexing.Maps;

//   NAME                  STRUCTURE  KEY                                           VALUE
//   References            Tree       folded id of what was read, 0x1E, of reader   etag (8)
//   ReferencesOf          Tree       folded id of reader, 0x1E, of what was read   (1 byte)
//   ReferenceCollections  Tree       collection that is read; one space for all    (1 byte)
//   ValueReferences       Tree       folded key of a compare-exchange value, ...   etag (8)
//   ValueReferencesOf     Tree       folded id of reader, 0x1E, of that key        (1 byte)
//
//   REF-1  What a map has read besides its document is written in the batch of that document: when it changes later,
//          the document is mapped again. Until then the index is stale, and reports it.
//   REF-2  The last etag of the documents at the time of reading is written with it. A reader that has seen a change
//          is not mapped again for it; so a batch may end among the readers of a change, and the next one goes on with
//          the others.

/// <summary>The documents and compare-exchange values that the maps of an index have read besides their own document.
/// One batch at a time.</summary>
internal sealed class ReferenceTracker : IReferenceSink
{
    private const string AllCollections = " ";

    private readonly byte[] _reader = new byte[DocumentId.SizeBytesMax];
    private WriteTransaction? _transaction;
    private volatile string[] _collections = [];
    private volatile bool _readsValues;
    private bool _isToBeKept;
    private int _readerLength;
    private long _seenEtag;

    private static ReadOnlySpan<byte> CollectionsTree => "ReferenceCollections"u8;

    private static ReadOnlySpan<byte> Mark => [1];

    /// <summary>The readers of documents.</summary>
    internal ReferencePairs Documents { get; } = new([.. "References"u8], [.. "ReferencesOf"u8]);

    /// <summary>The readers of compare-exchange values.</summary>
    internal ReferencePairs Values { get; } = new([.. "ValueReferences"u8], [.. "ValueReferencesOf"u8]);

    /// <summary>The collections that are read; any thread.</summary>
    internal IReadOnlyList<string> Collections => _collections;

    /// <summary>Whether documents of any collection may be read.</summary>
    internal bool ReadsAll => _collections.Contains(AllCollections);

    /// <summary>Whether compare-exchange values were read; any thread.</summary>
    internal bool ReadsValues => _readsValues;

    /// <summary>Reads what is stored, after the index was opened.</summary>
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
        _isToBeKept = false;
        _readsValues = Values.Any(transaction);
    }

    /// <summary>Begins a batch.</summary>
    /// <param name="transaction">Its transaction.</param>
    /// <param name="seenEtag">The last change that its maps can see.</param>
    internal void Begin(WriteTransaction transaction, long seenEtag)
    {
        _seenEtag = seenEtag;
        _transaction = transaction;
        Documents.Begin(transaction);
        Values.Begin(transaction);
        if (_isToBeKept)
        {
            KeepCollections();
        }
    }

    /// <summary>Ends the batch.</summary>
    internal void End()
    {
        _transaction = null;
        Documents.End();
        Values.End();
    }

    /// <summary>Removes what a document has read, before it is mapped or after it was deleted.</summary>
    internal void BeginDocument(ReadOnlySpan<byte> key)
    {
        key.CopyTo(_reader);
        _readerLength = key.Length;
        if (_collections.Length > 0)
        {
            Documents.Forget(key);
        }

        if (_readsValues)
        {
            Values.Forget(key);
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

        Documents.Add(read[..length], _reader.AsSpan(0, _readerLength), _seenEtag);
        string name = collection.Length == 0 ? AllCollections : collection;
        if (!_collections.Contains(name, StringComparer.OrdinalIgnoreCase))
        {
            _transaction!.OpenOrCreateTree(CollectionsTree).Put(Encoding.UTF8.GetBytes(name), Mark);
            _collections = [.. _collections, name];
            _isToBeKept = true;
        }
    }

    /// <summary>Writes the collections that are read again, if the batch that wrote them may have
    /// been dropped.</summary>
    private void KeepCollections()
    {
        Tree kept = _transaction!.OpenOrCreateTree(CollectionsTree);
        _isToBeKept = false;
        foreach (string name in _collections)
        {
            byte[] key = Encoding.UTF8.GetBytes(name);
            if (!kept.Contains(key))
            {
                // This batch may be dropped, too.
                _isToBeKept = true;
                kept.Put(key, Mark);
            }
        }
    }

    /// <inheritdoc/>
    public void AddValue(ReadOnlySpan<byte> key)
    {
        Span<byte> read = stackalloc byte[DocumentId.SizeBytesMax];
        if (DocumentId.TryFold(key, read, out int length, out _))
        {
            _readsValues = true;
            Values.Add(read[..length], _reader.AsSpan(0, _readerLength), _seenEtag);
        }
    }
}
