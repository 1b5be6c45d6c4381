using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Lucene.Engine.Files;
using Raven.Search.Segments;
using Raven.Storage.Transactions;

namespace Raven.Search.Lucene.Engine;

/// <summary>
/// A batch of an index of Lucene. The entries of a document are given to Lucene as one block, which lies in one segment
/// (DOC-1). Reused for later batches.
/// </summary>
internal sealed class LuceneBatch : IndexBatch
{
    private readonly LuceneIndex _index;
    private readonly StorageFiles _files = new();
    private readonly EntryBuilder _entry = new();
    private readonly List<List<IIndexableField>> _block = [];
    private byte[] _blockId = [];
    private long _blockBytes;
    private WriteTransaction? _transaction;
    private bool _hasWritten;

    internal LuceneBatch(LuceneIndex index) => _index = index;

    /// <inheritdoc/>
    public override int PendingCount => _block.Count + _index.Writer.BufferedCount;

    /// <inheritdoc/>
    public override WriteTransaction Transaction
    {
        get
        {
            ObjectDisposedException.ThrowIf(!IsOpen, this);
            if (_transaction is null)
            {
                _transaction = _index.Environment.BeginWrite();
                _files.Use(_transaction);
            }

            return _transaction;
        }
    }

    /// <inheritdoc/>
    public override IndexField GetOrAddVectors(string name, VectorFormat format, int dimensions) =>
        throw LuceneNames.NoVectors(name);

    /// <inheritdoc/>
    public override void BeginEntry(ReadOnlySpan<byte> documentId)
    {
        Check(!IsInEntry);
        byte[] id = TermOf(documentId);
        if (!id.AsSpan().SequenceEqual(_blockId))
        {
            WriteBlock();
            _blockId = id;
        }
        else if (_blockBytes > _index.Options.BatchSizeBytesMax)
        {
            throw new SearchIndexException(
                $"The entries of a document may take {_index.Options.BatchSizeBytesMax:N0} bytes while they are made, "
                + "and these take more.");
        }

        _entry.Clear();
        IsInEntry = true;
    }

    /// <inheritdoc/>
    public override void Add(IndexField field, ReadOnlySpan<byte> text)
    {
        ArgumentNullException.ThrowIfNull(field);
        Check(IsInEntry);
        _entry.AddText(field, text);
    }

    /// <inheritdoc/>
    public override void AddVector(IndexField field, ReadOnlySpan<float> vector) =>
        throw LuceneNames.NoVectors(field?.Name ?? string.Empty);

    /// <inheritdoc/>
    public override void AddVectorOfBytes(IndexField field, ReadOnlySpan<sbyte> vector) =>
        throw LuceneNames.NoVectors(field?.Name ?? string.Empty);

    /// <inheritdoc/>
    public override void AddVectorOfBits(IndexField field, ReadOnlySpan<byte> bits) =>
        throw LuceneNames.NoVectors(field?.Name ?? string.Empty);

    /// <inheritdoc/>
    public override void Store(ReadOnlySpan<byte> bytes)
    {
        Check(IsInEntry);
        _entry.Store(bytes);
    }

    /// <inheritdoc/>
    public override void EndEntry()
    {
        Check(IsInEntry);
        _block.Add(_entry.ToDocument(_blockId));
        _blockBytes += _entry.SizeInBytes;
        _entry.Clear();
        IsInEntry = false;
    }

    /// <inheritdoc/>
    public override void Delete(ReadOnlySpan<byte> documentId)
    {
        Check(!IsInEntry);
        byte[] id = TermOf(documentId);
        if (id.AsSpan().SequenceEqual(_blockId))
        {
            DropBlock();
        }
        else
        {
            WriteBlock();
        }

        WriteWith(writer => writer.DeleteDocuments(new Term(LuceneNames.Id, new BytesRef(id))));
    }

    /// <inheritdoc/>
    public override void Commit(ReadOnlySpan<byte> position)
    {
        Check(!IsInEntry);
        WriteBlock();
        byte[] at = position.ToArray();
        FieldCatalog published = _index.Catalog;
        FieldCatalog fields = KnownFields;
        bool isCommitted = false;
        try
        {
            _index.Commit(Transaction, _files, meta =>
            {
                _index.WriteMeta(meta, fields, IndexNames.FormatVersionOfLucene, at);

                // Published before the commit, so that no reader sees a segment whose fields it does not know.
                _index.PublishFields(fields);
            });
            isCommitted = true;
            _hasWritten = false;
        }
        catch (Exception failure) when (LuceneDamage.IsIt(failure))
        {
            throw LuceneDamage.Of(failure);
        }
        finally
        {
            if (!isCommitted)
            {
                _index.PublishFields(published);
                _hasWritten = true;
            }

            End();
        }
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        if (IsOpen)
        {
            End();
        }
    }

    /// <inheritdoc/>
    internal override void AddTerm(IndexField field, ReadOnlySpan<byte> term) => _entry.AddTerm(field, term);

    internal void Begin()
    {
        KnownFields = _index.Catalog;
        IsOpen = true;
    }

    /// <summary>Ends the batch; what Lucene was given of a batch that was not committed is dropped.</summary>
    private void End()
    {
        try
        {
            _transaction?.Dispose();
        }
        finally
        {
            _transaction = null;
            _files.Use(null);
            if (_hasWritten)
            {
                _index.Writer.GiveUp();
            }

            _hasWritten = false;
            IsOpen = false;
            IsInEntry = false;
            _entry.Clear();
            DropBlock();
            _index.LeaveWrite();
        }
    }

    private static byte[] TermOf(ReadOnlySpan<byte> documentId)
    {
        byte[] term = new byte[TermCode.SizeBytesMax];
        return term[..TermCode.WriteText(term, documentId)];
    }

    private void DropBlock()
    {
        _block.Clear();
        _blockId = [];
        _blockBytes = 0;
    }

    private void WriteBlock()
    {
        if (_block.Count > 0)
        {
            WriteWith(writer => writer.AddDocuments(_block));
        }

        DropBlock();
    }

    private void WriteWith(Action<IndexWriter> write)
    {
        _ = Transaction;
        _hasWritten = true;
        try
        {
            using (_files.Enter())
            {
                write(_index.Writer.Open());
            }
        }
        catch (Exception failure) when (LuceneDamage.IsIt(failure))
        {
            throw LuceneDamage.Of(failure);
        }
    }
}
