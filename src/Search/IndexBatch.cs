using System.Buffers.Binary;
using System.Diagnostics;
using NetTopologySuite.Geometries;
using Raven.Blittable.Memory;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Search.Spatial;
using Raven.Search.Vectors;
using Raven.Storage.Transactions;

namespace Raven.Search;

//   DOC-1  All entries of a document are in one segment: they are added one behind the other, and a segment does not
//          end between two of them. Merges keep them together. So a condition on a document as a whole is checked in
//          each segment by itself.
//   DIM-1  Vectors of a field have one number of dimensions: that of the definition, or of the first vector of a live
//          entry. If no entry with a vector is left, the next vector sets it again.

/// <summary>
/// A batch of new entries and deletions, which becomes visible as one, together with a position. One thread at a time.
/// Adding to it allocates nothing once its buffers have grown to the usual size of a batch.
/// </summary>
public sealed class IndexBatch : IDisposable
{
    private readonly SearchIndex _index;
    private BatchBuilder _builder;
    private readonly SegmentStore _store = new();
    private readonly SegmentList _segments = new();
    private TermTable _deleted = new();
    private readonly PostingCursor _postings = new();
    private readonly ShapeCode _shapes = new();
    private readonly LiveVectors _live = new();
    private readonly HashSet<int> _fixedDimensions = [];
    private readonly byte[] _term = new byte[TermCode.SizeBytesMax];
    private WriteTransaction? _transaction;
    private FieldCatalog _fields = FieldCatalog.New;
    private bool _isOpen;
    private bool _isInEntry;
    private bool _mayForgetDimensions;

    internal IndexBatch(SearchIndex index)
    {
        _index = index;
        _builder = new BatchBuilder(index.PartBytesMax);
    }

    /// <summary>Entries added and not deleted since, as far as they are not written to the transaction yet.</summary>
    public int PendingCount => _builder.LiveCount;

    /// <summary>
    /// The transaction that the batch is written in, for structures that must change with it; their names must differ
    /// from the index's own. Committed and dropped by the batch.
    /// </summary>
    public WriteTransaction Transaction
    {
        get
        {
            ObjectDisposedException.ThrowIf(!_isOpen, this);
            return _transaction ??= _index.Environment.BeginWrite();
        }
    }

    /// <summary>The field of a name; made if there is none.</summary>
    /// <exception cref="SearchIndexException">It exists, of another kind or with another analyzer.</exception>
    public IndexField GetOrAddField(string name, FieldKind kind, Analyzer analyzer)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(analyzer);
        if (_fields.Find(name) is { } field)
        {
            return field.Kind == kind && field.Analyzer.Name == analyzer.Name
                ? field
                : throw new SearchIndexException($"The field '{name}' is {field.Kind} with the {field.Analyzer.Name}; "
                    + $"it cannot be {kind} with the {analyzer.Name} as well.");
        }

        _fields = _fields.With(name, kind, analyzer);
        return _fields.Find(name)!;
    }

    /// <summary>The field of vectors of a name; made if there is none.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="format">How its vectors are kept.</param>
    /// <param name="dimensions">How many numbers they have; 0 if the first vector sets it.</param>
    /// <exception cref="SearchIndexException">It exists, of another kind.</exception>
    public IndexField GetOrAddVectors(string name, VectorFormat format, int dimensions)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentOutOfRangeException.ThrowIfEqual((int)format, (int)VectorFormat.None);
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)dimensions, (uint)SearchIndex.VectorDimensionsMax);
        if (_fields.Find(name) is { } field)
        {
            if (field.VectorFormat != format)
            {
                throw new SearchIndexException(
                    $"The field '{name}' is {field.Kind} {field.VectorFormat}; it cannot keep vectors as {format}.");
            }

            if (dimensions > 0 && field.Dimensions == 0)
            {
                _fields = _fields.WithDimensions(field, dimensions);
            }
        }
        else
        {
            _fields = _fields.With(name, format, dimensions);
        }

        field = _fields.Find(name)!;
        if (dimensions > 0)
        {
            _fixedDimensions.Add(field.Number);
        }

        return field;
    }

    /// <summary>Begins an entry of a document, which may have several, one behind the other (DOC-1).</summary>
    /// <param name="documentId">The id by which the document is found and deleted.</param>
    /// <exception cref="SearchIndexException">The entries of the document alone take more than a batch may.</exception>
    public void BeginEntry(ReadOnlySpan<byte> documentId)
    {
        Check(!_isInEntry);
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

        _builder.BeginEntry(_fields.Fields[IndexNames.IdField], documentId);
        _isInEntry = true;
    }

    /// <summary>Adds a text; the field's analyzer makes terms of it.</summary>
    public void Add(IndexField field, ReadOnlySpan<byte> text)
    {
        ArgumentNullException.ThrowIfNull(field);
        Check(_isInEntry);
        _builder.AddText(field, text);
    }

    /// <summary>Adds an integer.</summary>
    public void Add(IndexField field, long value) => AddTerm(field, TermCode.WriteNumber(_term, value));

    /// <summary>Adds a number.</summary>
    public void Add(IndexField field, double value) => AddTerm(field, TermCode.WriteNumber(_term, value));

    /// <summary>Adds an integer of more than 64 bits.</summary>
    public void Add(IndexField field, Int128 value) => AddTerm(field, TermCode.WriteNumber(_term, value));

    /// <summary>
    /// Adds a length of time whose text the field has: its ticks, by which it is compared and ordered.
    /// </summary>
    public void Add(IndexField field, TimeSpan value)
    {
        ArgumentNullException.ThrowIfNull(field);
        AddTerm(field, field.KeepsWholeTexts
            ? DurationCode.Write(_term, value.Ticks)
            : TermCode.WriteNumber(_term, value.Ticks));
    }

    /// <summary>Adds true or false.</summary>
    public void Add(IndexField field, bool value)
    {
        _term[0] = value ? TermCode.True : TermCode.False;
        AddTerm(field, 1);
    }

    /// <summary>Adds null.</summary>
    public void AddNull(IndexField field)
    {
        _term[0] = TermCode.Null;
        AddTerm(field, 1);
    }

    /// <summary>Adds a point, in degrees.</summary>
    /// <exception cref="FormatException">It is no place on earth.</exception>
    public void AddPoint(IndexField field, double latitude, double longitude)
    {
        SpatialFilter.Check(latitude, longitude);
        AddTerm(field, PointCode.Write(_term, latitude, longitude));
    }

    /// <summary>Adds a shape in well-known text: longitude before latitude, degrees.</summary>
    /// <exception cref="FormatException">The text is no shape.</exception>
    /// <exception cref="SearchIndexException">It has too many points; the message has its size.</exception>
    public void AddShape(IndexField field, string wellKnownText) => AddShape(field, wellKnownText, 1, isBox: false);

    /// <summary>Adds a shape, or the box around it.</summary>
    /// <param name="field">The field.</param>
    /// <param name="wellKnownText">The shape: longitude before latitude, degrees.</param>
    /// <param name="kilometersPerUnit">The unit of the radius of <c>CIRCLE(x y d=r)</c>.</param>
    /// <param name="isBox">Whether the box around the shape is stored instead.</param>
    /// <exception cref="FormatException">The text is no shape.</exception>
    /// <exception cref="SearchIndexException">It has too many points; the message has its size.</exception>
    public void AddShape(IndexField field, string wellKnownText, double kilometersPerUnit, bool isBox)
    {
        ArgumentNullException.ThrowIfNull(field);
        Check(_isInEntry);
        Geometry shape = SpatialFilter.Parse(wellKnownText, kilometersPerUnit);
        shape = isBox ? shape.Envelope : shape;
        if (shape is Point point)
        {
            AddPoint(field, point.Y, point.X);
        }
        else
        {
            _builder.AddTerm(field, _shapes.Write(shape));
        }
    }

    /// <summary>Adds a vector of finite numbers; an entry may have several.</summary>
    /// <exception cref="SearchIndexException">Vectors of the field have another number of dimensions.</exception>
    public void AddVector(IndexField field, ReadOnlySpan<float> vector) =>
        VectorCode.Write(field?.VectorFormat ?? default, vector, Record(field!, vector.Length));

    /// <summary>Adds a vector of bytes to a field that keeps bytes.</summary>
    /// <exception cref="SearchIndexException">Vectors of the field have another number of dimensions.</exception>
    public void AddVectorOfBytes(IndexField field, ReadOnlySpan<sbyte> vector)
    {
        ArgumentNullException.ThrowIfNull(field);
        ArgumentOutOfRangeException.ThrowIfNotEqual((int)field.VectorFormat, (int)VectorFormat.Int8);
        VectorCode.Write(vector, Record(field, vector.Length));
    }

    /// <summary>Adds a vector of bits to a field that keeps bits; the first is the highest of the first byte.</summary>
    /// <exception cref="SearchIndexException">Vectors of the field have another number of dimensions.</exception>
    public void AddVectorOfBits(IndexField field, ReadOnlySpan<byte> bits)
    {
        ArgumentNullException.ThrowIfNull(field);
        ArgumentOutOfRangeException.ThrowIfNotEqual((int)field.VectorFormat, (int)VectorFormat.Binary);
        VectorCode.WriteBits(bits, Record(field, bits.Length * 8));
    }

    /// <summary>Stores bytes with the entry, which queries get back as they are.</summary>
    public void Store(ReadOnlySpan<byte> bytes)
    {
        Check(_isInEntry);
        _builder.SetStored(bytes);
    }

    /// <summary>Ends the entry.</summary>
    public void EndEntry()
    {
        Check(_isInEntry);
        _builder.EndEntry();
        _isInEntry = false;
    }

    /// <summary>Deletes all entries of a document: those of earlier batches and those of this one so far.</summary>
    public void Delete(ReadOnlySpan<byte> documentId)
    {
        Check(!_isInEntry);
        _mayForgetDimensions = true;
        _builder.Delete(documentId);
        _deleted.GetOrAdd(_term.AsSpan(0, TermCode.WriteText(_term, documentId)));
    }

    /// <summary>Makes the batch visible, and stores the position of the indexer; both or neither.</summary>
    /// <param name="position">The place at which the indexer continues, up to 1,000 bytes.</param>
    public void Commit(ReadOnlySpan<byte> position)
    {
        Check(!_isInEntry);
        WriteSegment();
        ForgetDimensions();
        _store.Meta.Put(IndexNames.PositionKey, position);
        if (_fields != _index.Catalog || !_store.Meta.Contains(IndexNames.FormatKey))
        {
            Span<byte> version = stackalloc byte[4];
            int before = _store.Meta.TryGet(IndexNames.FormatKey, out NativeSlice written)
                ? BinaryPrimitives.ReadInt32LittleEndian(written.Span)
                : 0;
            BinaryPrimitives.WriteInt32LittleEndian(version, Math.Max(before, _fields.FormatVersion));
            _store.Meta.Put(IndexNames.FormatKey, version);
            _store.Meta.Put(IndexNames.FieldsKey, _fields.ToBytes());
        }

        // Published before the commit, so that no reader sees a segment whose fields it does not know; a reader that
        // knows fields without a segment finds nothing in them.
        FieldCatalog published = _index.Catalog;
        _index.PublishFields(_fields);
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

    /// <summary>Drops the batch if it was not committed.</summary>
    public void Dispose()
    {
        if (_isOpen)
        {
            End();
        }
    }

    /// <summary>Frees what it keeps for the next batch. Must not be called during a batch.</summary>
    internal void GiveIdleMemoryBack()
    {
        Debug.Assert(!_isOpen);
        _builder = new BatchBuilder(_index.PartBytesMax);
        _deleted = new TermTable();
    }

    internal void Begin()
    {
        _fields = _index.Catalog;
        _isOpen = true;
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
            _isOpen = false;
            _isInEntry = false;
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
        Check(_isInEntry);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(dimensions);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(dimensions, SearchIndex.VectorDimensionsMax);
        int known = _fields.Fields[field.Number].Dimensions;
        if (known == 0 || (known != dimensions && !HasLiveVectors(field)))
        {
            _builder.ClearVectors(field);
            _fields = _fields.WithDimensions(field, dimensions);
        }

        _fields.Fields[field.Number].CheckDimensions(dimensions);
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
        if (!_mayForgetDimensions || !_fields.HasVectors)
        {
            return;
        }

        _segments.Load(_transaction!);
        foreach (IndexField field in _fields.Fields)
        {
            if (field.Dimensions > 0 && !_fixedDimensions.Contains(field.Number)
                && !_live.IsAny(_segments, field.Number, _deleted))
            {
                _fields = _fields.WithDimensions(field, 0);
            }
        }
    }

    private void AddTerm(IndexField field, int length)
    {
        ArgumentNullException.ThrowIfNull(field);
        Check(_isInEntry);
        _builder.AddTerm(field, _term.AsSpan(0, length));
    }

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

    private void Check(bool isAllowed)
    {
        ObjectDisposedException.ThrowIf(!_isOpen, this);
        if (!isAllowed)
        {
            throw new InvalidOperationException(
                _isInEntry ? "An entry is under way: end it first." : "No entry is under way: begin one first.");
        }
    }
}
