using System.Diagnostics;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Search.Vectors;
using Raven.Storage.Transactions;

namespace Raven.Search;

//   DOC-1  All entries of a document are in one segment: they are added one behind the other, and a segment does not
//          end between two of them. Merges keep them together. So a condition on a document as a whole is checked in
//          each segment by itself.
//   DIM-1  Vectors of a field have one number of dimensions: that of the definition, or of the first vector of a live
//          entry. If no entry with a vector is left, the next vector sets it again.

/// <summary>
/// A batch of an index of segments. Adding to it allocates nothing once its buffers have grown to the usual size of a
/// batch. Reused for later batches.
/// </summary>
internal sealed class SegmentsBatch : IndexBatch
{
    private readonly SegmentsIndex _index;
    private BatchBuilder _builder;
    private readonly SegmentStore _store = new();
    private readonly SegmentList _segments = new();
    private TermTable _deleted = new();
    private byte[] _term = new byte[TermCode.SizeBytesMax];
    private readonly PostingCursor _postings = new();
    private readonly LiveVectors _live = new();
    private readonly HashSet<int> _fixedDimensions = [];
    private WriteTransaction? _transaction;
    private bool _mayForgetDimensions;

    internal SegmentsBatch(SegmentsIndex index)
    {
        _index = index;
        _builder = new BatchBuilder(index.PartBytesMax);
    }

    /// <inheritdoc/>
    public override int PendingCount => _builder.LiveCount;

    /// <inheritdoc/>
    public override WriteTransaction Transaction
    {
        get
        {
            ObjectDisposedException.ThrowIf(!IsOpen, this);
            return _transaction ??= _index.Environment.BeginWrite();
        }
    }

    /// <inheritdoc/>
    public override IndexField GetOrAddVectors(string name, VectorFormat format, int dimensions)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentOutOfRangeException.ThrowIfEqual((int)format, (int)VectorFormat.None);
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)dimensions, (uint)SearchIndex.VectorDimensionsMax);
        if (KnownFields.Find(name) is { } field)
        {
            if (field.VectorFormat != format)
            {
                throw new SearchIndexException(
                    $"The field '{name}' is {field.Kind} {field.VectorFormat}; it cannot keep vectors as {format}.");
            }

            if (dimensions > 0 && field.Dimensions == 0)
            {
                KnownFields = KnownFields.WithDimensions(field, dimensions);
            }
        }
        else
        {
            KnownFields = KnownFields.With(name, format, dimensions);
        }

        field = KnownFields.Find(name)!;
        if (dimensions > 0)
        {
            _fixedDimensions.Add(field.Number);
        }

        return field;
    }

    /// <inheritdoc/>
    public override void BeginEntry(ReadOnlySpan<byte> documentId)
    {
        Check(!IsInEntry);
        long size = _builder.SizeInBytes;
        long sizeMax = _index.Options.BatchSizeBytesMax;
        if (size > sizeMax && !_builder.IsLastOf(documentId))
        {
            WriteSegment();
        }
        else if (size > sizeMax * 2)
        {
            throw new SearchIndexException(
                $"The entries of a document may take {sizeMax:N0} bytes while they are made, and these take more.");
        }

        _builder.BeginEntry(KnownFields.Fields[IndexNames.IdField], documentId);
        IsInEntry = true;
    }

    /// <inheritdoc/>
    public override void Add(IndexField field, ReadOnlySpan<byte> text)
    {
        ArgumentNullException.ThrowIfNull(field);
        Check(IsInEntry);
        _builder.AddText(field, text);
    }

    /// <inheritdoc/>
    public override void AddVector(IndexField field, ReadOnlySpan<float> vector) =>
        VectorCode.Write(field?.VectorFormat ?? default, vector, Record(field!, vector.Length));

    /// <inheritdoc/>
    public override void AddVectorOfBytes(IndexField field, ReadOnlySpan<sbyte> vector)
    {
        ArgumentNullException.ThrowIfNull(field);
        ArgumentOutOfRangeException.ThrowIfNotEqual((int)field.VectorFormat, (int)VectorFormat.Int8);
        VectorCode.Write(vector, Record(field, vector.Length));
    }

    /// <inheritdoc/>
    public override void AddVectorOfBits(IndexField field, ReadOnlySpan<byte> bits)
    {
        ArgumentNullException.ThrowIfNull(field);
        ArgumentOutOfRangeException.ThrowIfNotEqual((int)field.VectorFormat, (int)VectorFormat.Binary);
        VectorCode.WriteBits(bits, Record(field, bits.Length * 8));
    }

    /// <inheritdoc/>
    public override void Store(ReadOnlySpan<byte> bytes)
    {
        Check(IsInEntry);
        _builder.SetStored(bytes);
    }

    /// <inheritdoc/>
    public override void EndEntry()
    {
        Check(IsInEntry);
        _builder.EndEntry();
        IsInEntry = false;
    }

    /// <inheritdoc/>
    public override void Delete(ReadOnlySpan<byte> documentId)
    {
        Check(!IsInEntry);
        _mayForgetDimensions = true;
        _builder.Delete(documentId);
        _deleted.GetOrAdd(TermCode.WriteText(ref _term, documentId, isWhole: false));
    }

    /// <inheritdoc/>
    public override void Commit(ReadOnlySpan<byte> position)
    {
        Check(!IsInEntry);
        WriteSegment();
        ForgetDimensions();
        _index.WriteMeta(_store.Meta, KnownFields, KnownFields.FormatVersion, position);

        // Published before the commit, so that no reader sees a segment whose fields it does not know; a reader that
        // knows fields without a segment finds nothing in them.
        FieldCatalog published = _index.Catalog;
        _index.PublishFields(KnownFields);
        try
        {
            _transaction!.Commit();
        }
        catch
        {
            _index.PublishFields(published);
            throw;
        }
        finally
        {
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

    /// <summary>Frees what it keeps for the next batch. Must not be called during a batch.</summary>
    internal void GiveIdleMemoryBack()
    {
        Debug.Assert(!IsOpen);
        _builder = new BatchBuilder(_index.PartBytesMax);
        _deleted = new TermTable();
    }

    internal void Begin()
    {
        KnownFields = _index.Catalog;
        IsOpen = true;
    }

    private void End()
    {
        try
        {
            _transaction?.Dispose();
        }
        finally
        {
            _transaction = null;
            IsOpen = false;
            IsInEntry = false;
            _builder.Clear();
            _deleted.Clear();
            _live.Clear();
            _fixedDimensions.Clear();
            _mayForgetDimensions = false;
            _index.LeaveWrite();
        }
    }

    /// <summary>Room for one more vector (DIM-1).</summary>
    private Span<byte> Record(IndexField field, int dimensions)
    {
        ArgumentNullException.ThrowIfNull(field);
        Check(IsInEntry);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(dimensions);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(dimensions, SearchIndex.VectorDimensionsMax);
        int known = KnownFields.Fields[field.Number].Dimensions;
        if (known == 0 || (known != dimensions && !HasLiveVectors(field)))
        {
            _builder.ClearVectors(field);
            KnownFields = KnownFields.WithDimensions(field, dimensions);
        }

        KnownFields.Fields[field.Number].CheckDimensions(dimensions);
        return _builder.AddVector(field, dimensions);
    }

    /// <summary>Whether the dimensions of a field are set by existing vectors or by the definition.</summary>
    private bool HasLiveVectors(IndexField field)
    {
        if (_fixedDimensions.Contains(field.Number) || _builder.HasLiveVectors(field))
        {
            return true;
        }

        _segments.Load(Transaction);
        return _live.IsAny(_segments, field.Number, _deleted);
    }

    /// <summary>After deletions: finds the fields of which no entry has a vector anymore (DIM-1).</summary>
    private void ForgetDimensions()
    {
        if (!_mayForgetDimensions || !KnownFields.HasVectors)
        {
            return;
        }

        _segments.Load(_transaction!);
        foreach (IndexField field in KnownFields.Fields)
        {
            if (field.Dimensions > 0 && !_fixedDimensions.Contains(field.Number)
                && !_live.IsAny(_segments, field.Number, _deleted))
            {
                KnownFields = KnownFields.WithDimensions(field, 0);
            }
        }
    }

    /// <inheritdoc/>
    internal override void AddTerm(IndexField field, ReadOnlySpan<byte> term) => _builder.AddTerm(field, term);

    /// <summary>Applies the deletions to older segments and writes the entries so far as a new one.</summary>
    private void WriteSegment()
    {
        _store.Open(Transaction);
        if (_deleted.Count > 0)
        {
            _segments.Load(_transaction!);
            for (int i = 0; i < _segments.Count; i++)
            {
                DeleteIn(_segments[i]);
            }

            _deleted.Clear();
        }

        _builder.Write(_store);
        _builder.Clear();
        _live.Clear();
    }

    private void DeleteIn(SegmentReader segment)
    {
        if (segment.TryGetField(IndexNames.IdField) is not { TermCount: > 0 } ids)
        {
            return;
        }

        // New documents, whose ids are mostly behind all others, are in no segment: two comparisons suffice.
        ReadOnlySpan<byte> first = ids.CopyTerm(0, stackalloc byte[TermCode.SizeBytesMax]);
        ReadOnlySpan<byte> last = ids.CopyTerm(ids.TermCount - 1, stackalloc byte[TermCode.SizeBytesMax]);
        for (int i = 0; i < _deleted.Count; i++)
        {
            ReadOnlySpan<byte> id = _deleted[i];
            if (id.SequenceCompareTo(last) > 0 || id.SequenceCompareTo(first) < 0)
            {
                continue;
            }

            int ordinal = ids.Find(id);
            if (ordinal < 0)
            {
                continue;
            }

            _postings.Open(ids, ordinal);
            for (int block = 0; block < _postings.BlockCount; block++)
            {
                _postings.Read(block);
                foreach (int entry in _postings.Entries)
                {
                    _store.Delete(segment.Id, entry);
                }
            }
        }
    }
}
