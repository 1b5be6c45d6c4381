using NetTopologySuite.Geometries;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Search.Spatial;
using Raven.Storage.Transactions;

namespace Raven.Search;

/// <summary>
/// A batch of new entries and deletions, which becomes visible as one, together with a position. One thread at a time.
/// </summary>
public abstract class IndexBatch : IDisposable
{
    private readonly ShapeCode _shapes = new();
    private readonly byte[] _value = new byte[TermCode.SizeBytesMax];

    internal IndexBatch()
    {
    }

    /// <summary>Entries added and not deleted since, as far as they are not written to the transaction yet.</summary>
    public abstract int PendingCount { get; }

    /// <summary>
    /// The transaction that the batch is written in, for structures that must change with it; their names must differ
    /// from the index's own. Committed and dropped by the batch.
    /// </summary>
    public abstract WriteTransaction Transaction { get; }

    /// <summary>The fields of the index, and those that the batch has added.</summary>
    internal FieldCatalog KnownFields { get; set; } = FieldCatalog.New;

    /// <summary>Whether the batch was begun, and neither committed nor dropped.</summary>
    internal bool IsOpen { get; set; }

    /// <summary>Whether an entry was begun and not ended.</summary>
    internal bool IsInEntry { get; set; }

    /// <summary>The field of a name; made if there is none.</summary>
    /// <exception cref="SearchIndexException">It exists, of another kind or with another analyzer.</exception>
    public IndexField GetOrAddField(string name, FieldKind kind, Analyzer analyzer)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(analyzer);
        if (KnownFields.Find(name) is { } field)
        {
            return field.Kind == kind && field.Analyzer.Name == analyzer.Name
                ? field
                : throw new SearchIndexException($"The field '{name}' is {field.Kind} with the {field.Analyzer.Name}; "
                    + $"it cannot be {kind} with the {analyzer.Name} as well.");
        }

        KnownFields = KnownFields.With(name, kind, analyzer);
        return KnownFields.Find(name)!;
    }

    /// <summary>The field of vectors of a name; made if there is none.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="format">How its vectors are kept.</param>
    /// <param name="dimensions">How many numbers they have; 0 if the first vector sets it.</param>
    /// <exception cref="SearchIndexException">It exists, of another kind.</exception>
    public abstract IndexField GetOrAddVectors(string name, VectorFormat format, int dimensions);

    /// <summary>Begins an entry of a document, which may have several, one behind the other (DOC-1).</summary>
    /// <param name="documentId">The id by which the document is found and deleted.</param>
    /// <exception cref="SearchIndexException">The entries of the document alone take more than a batch may.</exception>
    public abstract void BeginEntry(ReadOnlySpan<byte> documentId);

    /// <summary>Adds a text; the field's analyzer makes terms of it.</summary>
    public abstract void Add(IndexField field, ReadOnlySpan<byte> text);

    /// <summary>Adds an integer.</summary>
    public void Add(IndexField field, long value) => AddChecked(field, TermCode.WriteNumber(_value, value));

    /// <summary>Adds a number.</summary>
    public void Add(IndexField field, double value) => AddChecked(field, TermCode.WriteNumber(_value, value));

    /// <summary>Adds an integer of more than 64 bits.</summary>
    public void Add(IndexField field, Int128 value) => AddChecked(field, TermCode.WriteNumber(_value, value));

    /// <summary>
    /// Adds a length of time whose text the field has: its ticks, by which it is compared and ordered.
    /// </summary>
    public void Add(IndexField field, TimeSpan value)
    {
        ArgumentNullException.ThrowIfNull(field);
        AddChecked(field, field.KeepsWholeTexts
            ? DurationCode.Write(_value, value.Ticks)
            : TermCode.WriteNumber(_value, value.Ticks));
    }

    /// <summary>Adds true or false.</summary>
    public void Add(IndexField field, bool value)
    {
        _value[0] = value ? TermCode.True : TermCode.False;
        AddChecked(field, 1);
    }

    /// <summary>Adds null.</summary>
    public void AddNull(IndexField field)
    {
        _value[0] = TermCode.Null;
        AddChecked(field, 1);
    }

    /// <summary>Adds a point, in degrees.</summary>
    /// <exception cref="FormatException">It is no place on earth.</exception>
    public void AddPoint(IndexField field, double latitude, double longitude)
    {
        SpatialFilter.Check(latitude, longitude);
        AddChecked(field, PointCode.Write(_value, latitude, longitude));
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
        Check(IsInEntry);
        Geometry shape = SpatialFilter.Parse(wellKnownText, kilometersPerUnit);
        shape = isBox ? shape.Envelope : shape;
        if (shape is Point point)
        {
            AddPoint(field, point.Y, point.X);
        }
        else
        {
            AddTerm(field, _shapes.Write(shape));
        }
    }

    /// <summary>Adds a vector of finite numbers; an entry may have several.</summary>
    /// <exception cref="SearchIndexException">Vectors of the field have another number of dimensions.</exception>
    public abstract void AddVector(IndexField field, ReadOnlySpan<float> vector);

    /// <summary>Adds a vector of bytes to a field that keeps bytes.</summary>
    /// <exception cref="SearchIndexException">Vectors of the field have another number of dimensions.</exception>
    public abstract void AddVectorOfBytes(IndexField field, ReadOnlySpan<sbyte> vector);

    /// <summary>Adds a vector of bits to a field that keeps bits; the first is the highest of the first byte.</summary>
    /// <exception cref="SearchIndexException">Vectors of the field have another number of dimensions.</exception>
    public abstract void AddVectorOfBits(IndexField field, ReadOnlySpan<byte> bits);

    /// <summary>Stores bytes with the entry, which queries get back as they are.</summary>
    public abstract void Store(ReadOnlySpan<byte> bytes);

    /// <summary>Ends the entry.</summary>
    public abstract void EndEntry();

    /// <summary>Deletes all entries of a document: those of earlier batches and those of this one so far.</summary>
    public abstract void Delete(ReadOnlySpan<byte> documentId);

    /// <summary>Makes the batch visible, and stores the position of the indexer; both or neither.</summary>
    /// <param name="position">The place at which the indexer continues, up to 1,000 bytes.</param>
    public abstract void Commit(ReadOnlySpan<byte> position);

    /// <summary>Drops the batch if it was not committed.</summary>
    public abstract void Dispose();

    /// <summary>Adds a term of the entry that was begun.</summary>
    internal abstract void AddTerm(IndexField field, ReadOnlySpan<byte> term);

    internal void Check(bool isAllowed)
    {
        ObjectDisposedException.ThrowIf(!IsOpen, this);
        if (!isAllowed)
        {
            throw new InvalidOperationException(
                IsInEntry ? "An entry is under way: end it first." : "No entry is under way: begin one first.");
        }
    }

    private void AddChecked(IndexField field, int length)
    {
        ArgumentNullException.ThrowIfNull(field);
        Check(IsInEntry);
        AddTerm(field, _value.AsSpan(0, length));
    }
}
