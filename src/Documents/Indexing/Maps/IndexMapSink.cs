using System.Buffers;
using System.Globalization;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Ids;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Storage;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Maps;

//   SINK-1  An entry's key is the folded id of its document, so that a later write in any case finds it.
//   SINK-2  The stored part of an entry is a JSON object of its stored fields, so that an answer is a copy of it.
//   SINK-3  Each value that is no vector takes an exception: after sixteen of them no more vectors of the document
//           are read.

/// <summary>Adds the entries of maps to a batch of the search index.</summary>
internal sealed class IndexMapSink : MapSink
{
    private const int RefusedVectorsMax = 16;

    private readonly Dictionary<string, SearchField> _fields = new(StringComparer.Ordinal);
    private readonly List<SearchField> _stored = [];
    private readonly ArrayBufferWriter<byte> _json = new(256);
    private readonly IndexDefinition _definition;
    private readonly Func<string, Analyzer?> _analyzers;
    private readonly TimeProvider _clock;
    private readonly BatchFailures _failures;
    private readonly VectorSink _vectors;
    private readonly byte[] _key = new byte[DocumentId.SizeBytesMax];
    private readonly ArrayBufferWriter<byte> _id = new(64);
    private IndexBatch? _batch;
    private int _batchNumber;
    private int _keyLength;
    private int _refusedVectors;
    private bool _isInEntry;
    private bool _isStoredWhole;

    /// <summary>A sink of an index.</summary>
    /// <param name="definition">Has the options of the fields.</param>
    /// <param name="context">The memory of the maps; the caller that runs them resets it after each document.</param>
    /// <param name="analyzers">Finds the analyzers that users wrote.</param>
    /// <param name="clock">Gives the time of failures.</param>
    /// <param name="failures">Takes documents that are in the index without some of their values, and why.</param>
    internal IndexMapSink(
        IndexDefinition definition, OperationContext context, Func<string, Analyzer?> analyzers,
        TimeProvider clock, BatchFailures failures)
    {
        _clock = clock;
        _failures = failures;
        _vectors = new VectorSink(context);
        _analyzers = analyzers;
        _definition = definition;
        MissingAreNull = definition.Settings.MissingAreNull;
        Context = context;
    }

    /// <inheritdoc/>
    internal override OperationContext Context { get; }

    /// <inheritdoc/>
    internal override bool MissingAreNull { get; }

    /// <summary>How many entries the current document has so far.</summary>
    internal int EntryCount { get; private set; }

    /// <inheritdoc/>
    internal override MapField Field(string name) => Field(name, _definition.OptionsOf(name));

    /// <inheritdoc/>
    internal override MapField Field(string name, IndexFieldOptions options)
    {
        FieldMapping mapping = FieldMapping.Of(name, options, _analyzers);
        if (!_fields.TryGetValue(mapping.IndexName, out SearchField? field))
        {
            field = new SearchField(name, options, mapping);
            _fields[mapping.IndexName] = field;
            if (options.IsStored == true)
            {
                _stored.Add(field);
            }
        }

        return field;
    }

    internal void Begin(IndexBatch batch)
    {
        _batch = batch;
        _batchNumber++;
    }

    /// <summary>Ends the batch, even in the middle of an entry.</summary>
    internal void End()
    {
        _batch = null;
        if (_isInEntry)
        {
            ClearStored();
            _isInEntry = false;
        }
    }

    /// <summary>Sets the document that later entries belong to.</summary>
    /// <param name="key">Its folded id.</param>
    /// <param name="id">Its id, UTF-8; empty for a group of a reduce.</param>
    internal void BeginDocument(ReadOnlySpan<byte> key, ReadOnlySpan<byte> id)
    {
        _id.ResetWrittenCount();
        _id.Write(id);
        _refusedVectors = 0;
        key.CopyTo(_key);
        _keyLength = key.Length;
        EntryCount = 0;
    }

    /// <summary>Drops the entries of the current document, after its map failed.</summary>
    internal void DropDocument()
    {
        if (_isInEntry)
        {
            ClearStored();
            _batch!.EndEntry();
            _isInEntry = false;
        }

        _batch!.Delete(_key.AsSpan(0, _keyLength));
        EntryCount = 0;
    }

    /// <inheritdoc/>
    internal override void BeginEntry()
    {
        _batch!.BeginEntry(_key.AsSpan(0, _keyLength));
        _isInEntry = true;
    }

    /// <inheritdoc/>
    internal override void EndEntry()
    {
        StoreFields();
        _batch!.EndEntry();
        _isInEntry = false;
        EntryCount++;
    }

    /// <summary>Stores an object with the current entry, in place of its stored fields.</summary>
    internal void Store(BlittableObject whole)
    {
        _json.ResetWrittenCount();
        BlittableToJson.Write(whole, _json);
        _batch!.Store(_json.WrittenSpan);
        _isStoredWhole = true;
    }

    /// <inheritdoc/>
    internal override void BeginList(MapField field) => ((SearchField)field).BeginList();

    /// <inheritdoc/>
    internal override void EndList(MapField field) => ((SearchField)field).EndList();

    /// <inheritdoc/>
    internal override void Add(MapField field, BlittableValue value)
    {
        if (field.Options.Vector is not null)
        {
            AddVector(field, new MapVector(value));
            return;
        }

        switch (value.Kind)
        {
            case ValueKind.Array:
                BlittableArray items = value.AsArray();
                BeginList(field);
                for (int i = 0; i < items.Count; i++)
                {
                    Add(field, items[i]);
                }

                EndList(field);
                break;
            case ValueKind.String:
                Add(field, value.TryGetUtf8(out ReadOnlySpan<byte> plain) ? plain : value.GetUtf8(Context.Arena).Span);
                break;
            case ValueKind.Integer:
                value.TryGetInt64(out long integer);
                Add(field, integer);
                break;
            case ValueKind.Number:
                AddNumber(field, value);
                break;
            case ValueKind.True or ValueKind.False:
                Add(field, value.Kind == ValueKind.True);
                break;
            case ValueKind.Object:
                AddObject(field, value);
                break;
            default:
                AddNull(field);
                break;
        }
    }

    /// <inheritdoc/>
    internal override void Add(MapField field, ReadOnlySpan<byte> text) => AddValue(field, new TextFieldValue(text));

    /// <inheritdoc/>
    internal override void Add(MapField field, string text)
    {
        int lengthMax = Encoding.UTF8.GetMaxByteCount(text.Length);
        NativeSlice utf8 = Context.Arena.Allocate(Math.Max(1, lengthMax));
        int length = Encoding.UTF8.GetBytes(text, utf8.WritableSpan);
        Add(field, utf8.Span[..length]);
    }

    /// <inheritdoc/>
    internal override void Add(MapField field, long value) => AddValue(field, new IntegerFieldValue(value));

    /// <inheritdoc/>
    internal override void Add(MapField field, double value)
    {
        if (double.IsFinite(value))
        {
            AddValue(field, new DoubleFieldValue(value));
        }
        else
        {
            AddNull(field);
        }
    }

    /// <inheritdoc/>
    internal override void Add(MapField field, bool value) => AddValue(field, new BooleanFieldValue(value));

    /// <inheritdoc/>
    internal override void AddDuration(MapField field, TimeSpan value)
    {
        base.AddDuration(field, value);
        if (Resolve(field).Target is { } searched)
        {
            _batch!.Add(searched, value);
        }
    }

    /// <inheritdoc/>
    internal override void AddNull(MapField field) => AddValue(field, default(NullFieldValue));

    /// <inheritdoc/>
    internal override void AddPoint(MapField field, double latitude, double longitude)
    {
        if (Resolve(field).Target is { } searched)
        {
            _batch!.AddPoint(searched, latitude, longitude);
        }
    }

    /// <inheritdoc/>
    internal override void AddShape(MapField field, string wellKnownText)
    {
        SearchField target = Resolve(field);
        if (target.Target is { } searched)
        {
            _batch!.AddShape(searched, wellKnownText, target.Shapes.KilometersPerUnit, target.Shapes.IsBox);
        }
    }

    /// <inheritdoc/>
    internal override void AddVector(MapField field, MapVector vector)
    {
        SearchField target = VectorsOf(field);
        if (_refusedVectors >= RefusedVectorsMax)
        {
            return;
        }

        try
        {
            _vectors.Add(_batch!, target.Target!, target.Options.Vector!, vector);
        }
        catch (Exception wrong) when (wrong is FormatException or SearchIndexException)
        {
            RefuseVector(field, wrong.Message);
        }
    }

    /// <inheritdoc/>
    internal override void RefuseVector(MapField field, string problem)
    {
        if (_refusedVectors++ == 0)
        {
            _failures.Add(new IndexFailure(
                _clock.GetUtcNow(), _id.WrittenCount == 0 ? null : Encoding.UTF8.GetString(_id.WrittenSpan),
                IndexFailure.Part, $"'{field.Name}': {problem}"));
        }
    }

    /// <inheritdoc/>
    internal override void AddReference(ReadOnlySpan<byte> id, string collection) => References?.Add(id, collection);

    /// <inheritdoc/>
    internal override void AddValueReference(ReadOnlySpan<byte> key) => References?.AddValue(key);

    /// <summary>Takes what maps read besides the current document; null if that is not followed.</summary>
    internal IReferenceSink? References { get; set; }

    /// <inheritdoc/>
    internal override void Add(MapField field, decimal value)
    {
        const decimal AnyDouble = 1e27m;
        if (field.Options.IsStored != true || (decimal.Abs(value) < AnyDouble && (decimal)(double)value == value))
        {
            base.Add(field, value);
            return;
        }

        BlittableWriter writer = Context.Writer;
        writer.Begin(BlittableMode.ToMemory);
        Span<byte> digits = stackalloc byte[32];
        value.TryFormat(digits, out int length, default, CultureInfo.InvariantCulture);
        writer.NumberText(digits[..length]);
        Add(field, writer.Finish());
    }

    private void AddNumber(MapField field, BlittableValue value)
    {
        if (!value.TryGetDouble(out double number))
        {
            AddValue(field, new BeyondDoubleFieldValue(value));
        }
        else if (LargeInteger.TryRead(value, number, out Int128 large))
        {
            AddValue(field, new LargeIntegerFieldValue(large, value));
        }
        else if (value.HasManyDigits)
        {
            AddValue(field, new LongNumberFieldValue(number, value));
        }
        else
        {
            Add(field, number);
        }
    }

    private void AddObject(MapField field, BlittableValue value)
    {
        _json.ResetWrittenCount();
        BlittableToJson.Write(value, _json, JsonOutputOptions.Default);
        AddValue(field, new ObjectFieldValue(value, _json));
    }

    private void AddValue<TValue>(MapField field, TValue value)
        where TValue : struct, IFieldValue, allows ref struct
    {
        SearchField target = Resolve(field);
        if (target.Target is { } searched)
        {
            value.AddTo(_batch!, searched);
        }

        target.Store(value);
    }

    /// <summary>The field with the vectors of a field: the field itself, or one beside it if the definition has no
    /// vector options for it.</summary>
    private SearchField VectorsOf(MapField field)
    {
        var asked = (SearchField)field;
        asked.Vectors ??= field.Options.Vector is not null
            ? asked
            : (SearchField)Field(field.Name, new IndexFieldOptions { Vector = VectorFieldOptions.Default });
        return Resolve(asked.Vectors);
    }

    private SearchField Resolve(MapField field)
    {
        var resolved = (SearchField)field;
        if (resolved.BatchNumber != _batchNumber)
        {
            resolved.BatchNumber = _batchNumber;
            resolved.Target = resolved.Options.Vector is { } vectors
                ? _batch!.GetOrAddVectors(resolved.Mapping.IndexName, vectors.Destination, DimensionsOf(vectors))
                : resolved.Mapping.Analyzer is { } analyzer
                ? _batch!.GetOrAddField(resolved.Mapping.IndexName, resolved.Mapping.Kind, analyzer)
                : null;
        }

        return resolved;
    }

    /// <summary>The dimensions in the definition; of bits, rounded up to whole bytes.</summary>
    private static int DimensionsOf(VectorFieldOptions vectors) =>
        vectors.Source == VectorFormat.Binary ? ((vectors.Dimensions ?? 0) + 7) / 8 * 8 : vectors.Dimensions ?? 0;

    private void StoreFields()
    {
        if (_stored.Count == 0 || _isStoredWhole)
        {
            ClearStored();
            return;
        }

        _json.ResetWrittenCount();
        _json.Write("{"u8);
        bool isFirst = true;
        foreach (SearchField field in _stored)
        {
            if (field.WriteTo(_json, isFirst))
            {
                isFirst = false;
            }
        }

        _json.Write("}"u8);
        _batch!.Store(_json.WrittenSpan);
        ClearStored();
    }

    private void ClearStored()
    {
        _isStoredWhole = false;
        foreach (SearchField field in _stored)
        {
            field.Clear();
        }
    }
}
