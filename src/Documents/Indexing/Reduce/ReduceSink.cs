using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>
/// Keeps entries as objects: the results of maps for a reduce, and those of the reduce itself. Their memory is in the
/// sink's context. A field that is added several times is an array.
/// </summary>
internal sealed class ReduceSink : ValueSink, IDisposable
{
    private readonly Dictionary<string, MapField> _fields = [];
    private readonly List<(MapField Field, DynamicValue Value)> _values = [];
    private readonly string? _countField;

    /// <summary>Makes a sink.</summary>
    /// <param name="countField">A field that each entry gets with the value 1; null for none.</param>
    internal ReduceSink(string? countField = null) => _countField = countField;

    /// <summary>The entries since <see cref="Clear"/>.</summary>
    internal List<BlittableObject> Entries { get; } = [];

    /// <summary>Receives the documents that maps load.</summary>
    internal MapSink? References { get; set; }

    internal override OperationContext Context { get; } = new();

    /// <summary>Drops the entries and frees their memory.</summary>
    internal void Clear()
    {
        Entries.Clear();
        _values.Clear();
        Context.Reset();
    }

    internal override MapField Field(string name) => Field(name, IndexFieldOptions.Default);

    internal override MapField Field(string name, IndexFieldOptions options)
    {
        if (!_fields.TryGetValue(name, out MapField? field))
        {
            field = new MapField(name, options);
            _fields[name] = field;
        }

        return field;
    }

    internal override void BeginEntry() => _values.Clear();

    internal override void Add(MapField field, DynamicValue value)
    {
        if (value.Kind == DynamicKind.Field)
        {
            DynamicField created = (DynamicField)value.Object!;
            _values.Add((Field(created.Name), created.Value));
        }
        else if (value.Kind != DynamicKind.Missing)
        {
            _values.Add((field, value));
        }
    }

    internal override void Add(MapField field, BlittableValue value) => Add(field, DynamicValue.Of(value));

    internal override void Add(MapField field, ReadOnlySpan<byte> text) =>
        Add(field, DynamicValue.Of(Encoding.UTF8.GetString(text)));

    internal override void Add(MapField field, string text) => Add(field, DynamicValue.Of(text));

    internal override void Add(MapField field, long value) => Add(field, DynamicValue.Of(value));

    internal override void Add(MapField field, double value) => Add(field, DynamicValue.Of(value));

    internal override void Add(MapField field, bool value) => Add(field, DynamicValue.Of(value));

    internal override void AddNull(MapField field) => Add(field, DynamicValue.Null);

    internal override void EndEntry()
    {
        if (_countField is not null)
        {
            Add(Field(_countField), DynamicValue.Of(1L));
        }

        BlittableWriter writer = Context.Writer;
        writer.Begin(BlittableMode.ToMemory);
        writer.StartObject();
        for (int i = 0; i < _values.Count; i++)
        {
            MapField field = _values[i].Field;
            if (FirstOf(field) == i)
            {
                writer.Name(field.Name);
                WriteAll(writer, field, i);
            }
        }

        writer.EndObject();
        Entries.Add(writer.Finish().AsObject());
        _values.Clear();
    }

    internal override void AddReference(ReadOnlySpan<byte> id, string collection) =>
        References?.AddReference(id, collection);

    internal override void AddValueReference(ReadOnlySpan<byte> key) => References?.AddValueReference(key);

    public void Dispose() => Context.Dispose();

    private int FirstOf(MapField field)
    {
        int index = 0;
        while (!ReferenceEquals(_values[index].Field, field))
        {
            index++;
        }

        return index;
    }

    private void WriteAll(BlittableWriter writer, MapField field, int first)
    {
        int count = 0;
        foreach ((MapField other, _) in _values)
        {
            count += ReferenceEquals(other, field) ? 1 : 0;
        }

        if (count == 1)
        {
            DynamicJson.Write(writer, _values[first].Value, 0);
            return;
        }

        writer.StartArray();
        foreach ((MapField other, DynamicValue value) in _values)
        {
            if (ReferenceEquals(other, field))
            {
                DynamicJson.Write(writer, value, 1);
            }
        }

        writer.EndArray();
    }
}
