using System.Runtime.InteropServices;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Scripts;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Static;

/// <summary>Takes the entries of compiled maps and passes them to the sink of the index.</summary>
public sealed class MapOutput
{
    private readonly Dictionary<string, MapField> _byName = [];
    private readonly List<double> _numbers = [];
    private MapSink? _sink;
    private ValueSink? _values;
    private string[] _names = [];
    private MapField?[] _fields = [];

    internal MapOutput()
    {
    }

    private MapSink Sink => _sink ?? throw new InvalidOperationException("No document is being mapped.");

    /// <summary>Begins an entry.</summary>
    public void BeginEntry() => Sink.BeginEntry();

    /// <summary>Adds a value to a field of the entry.</summary>
    /// <param name="field">The number of the field in the map's list.</param>
    /// <param name="value">The value; a missing one adds nothing.</param>
    public void Add(int field, in DynamicValue value)
    {
        MapField known = _fields[field] ??= FieldOf(_names[field]);
        Add(known, in value);
    }

    /// <summary>Ends the entry.</summary>
    public void EndEntry() => Sink.EndEntry();

    /// <summary>Adds an entry for an object, or for each object of a sequence, with its properties as fields; none
    /// for null.</summary>
    public void AddEntry(DynamicValue value)
    {
        switch (value.Kind)
        {
            case DynamicKind.Missing or DynamicKind.Null:
                break;
            case DynamicKind.Record:
                DynamicRecord record = (DynamicRecord)value.Object!;
                BeginEntry();
                for (int i = 0; i < record.Count; i++)
                {
                    Add(FieldOf(record.Names[i]), record.Values[i]);
                }

                EndEntry();
                break;
            case DynamicKind.StoredObject:
                AddStored(value.Stored.AsObject());
                break;
            case DynamicKind.Sequence or DynamicKind.StoredArray:
                foreach (DynamicValue item in value.Items())
                {
                    AddEntry(item);
                }

                break;
            default:
                throw new InvalidOperationException($"A map gives objects, not {value.Kind}.");
        }
    }

    internal void Begin(MapSink sink, string[] names)
    {
        if (!ReferenceEquals(_sink, sink) || !ReferenceEquals(_names, names))
        {
            _sink = sink;
            _values = sink as ValueSink;
            _names = names;
            _fields = new MapField?[names.Length];
            _byName.Clear();
        }
    }

    private void AddStored(BlittableObject source)
    {
        const int onStack = 64;
        Span<int> order = source.Count <= onStack ? stackalloc int[onStack] : new int[source.Count];
        order = order[..source.Count];
        source.GetOriginalOrder(order);
        BeginEntry();
        foreach (int index in order)
        {
            BlittableProperty property = source.GetProperty(index);
            if (!property.Name.SequenceEqual("@metadata"u8))
            {
                Add(FieldOf(property.GetName()), ScriptFields.Read(property.Value));
            }
        }

        EndEntry();
    }

    private MapField FieldOf(string name)
    {
        if (!_byName.TryGetValue(name, out MapField? field))
        {
            field = Sink.Field(name);
            _byName[name] = field;
        }

        return field;
    }

    private void Add(MapField field, in DynamicValue value)
    {
        if (_values is not null)
        {
            _values.Add(field, value);
            return;
        }

        MapSink sink = Sink;
        if (value.Kind == DynamicKind.Vector || (field.Options.Vector is not null && value.Kind != DynamicKind.Field))
        {
            AddVector(field, value.Object is DynamicVector vector ? vector.Value : value);
            return;
        }

        switch (value.Kind)
        {
            case DynamicKind.Missing when !sink.MissingAreNull:
                break;
            case DynamicKind.Missing or DynamicKind.Null:
                sink.AddNull(field);
                break;
            case DynamicKind.Boolean:
                sink.Add(field, value.Boolean);
                break;
            case DynamicKind.Integer:
                sink.Add(field, value.Integer);
                break;
            case DynamicKind.Real when value.HasMoreDigits:
                sink.Add(field, value.Stored);
                break;
            case DynamicKind.Real:
                sink.Add(field, value.Real);
                break;
            case DynamicKind.Decimal:
                sink.Add(field, value.Decimal);
                break;
            case DynamicKind.StoredText or DynamicKind.StoredObject or DynamicKind.StoredArray:
                sink.Add(field, value.Stored);
                break;
            case DynamicKind.Record:
                AddRecord(field, value);
                break;
            case DynamicKind.Sequence:
                sink.BeginList(field);
                foreach (DynamicValue item in value.Items())
                {
                    Add(field, item);
                }

                sink.EndList(field);
                break;
            case DynamicKind.Duration:
                sink.AddDuration(field, value.Duration);
                break;
            case DynamicKind.Shape:
                AddShape(field, (DynamicShape)value.Object!);
                break;
            case DynamicKind.Field:
                AddCreated((DynamicField)value.Object!);
                break;
            default:
                sink.Add(field, value.ToText() ?? string.Empty);
                break;
        }
    }

    /// <summary>Adds an object that the map has made, like an object of a document.</summary>
    private void AddRecord(MapField field, DynamicValue value)
    {
        BlittableWriter writer = Sink.Context.Writer;
        writer.Begin(BlittableMode.ToMemory);
        DynamicJson.Write(writer, value, 0);
        Sink.Add(field, writer.Finish());
    }

    /// <summary>Adds vectors: a list of numbers is one vector, a list of other values several.</summary>
    private void AddVector(MapField field, DynamicValue value)
    {
        switch (value.Kind)
        {
            case DynamicKind.Missing or DynamicKind.Null:
                break;
            case DynamicKind.StoredArray or DynamicKind.StoredText or DynamicKind.StoredObject:
                Sink.AddVector(field, new MapVector(value.Stored));
                break;
            case DynamicKind.Text:
                Sink.AddVector(field, new MapVector(Encoding.UTF8.GetBytes(value.ToText()!)));
                break;
            case DynamicKind.Sequence:
                AddVectors(field, value);
                break;
            default:
                Sink.RefuseVector(field, $"A vector is a list of numbers, or base64; {value.Kind} is neither.");
                break;
        }
    }

    private void AddVectors(MapField field, DynamicValue list)
    {
        _numbers.Clear();
        bool isOfVectors = false;
        foreach (DynamicValue item in list.Items())
        {
            bool isNumber = item.Kind is DynamicKind.Integer or DynamicKind.Real or DynamicKind.Decimal;
            if (isNumber && !isOfVectors)
            {
                _numbers.Add(DynamicNumbers.ToReal(item));
            }
            else if (!isNumber && _numbers.Count == 0)
            {
                isOfVectors = true;
                AddVector(field, item);

                // If the item is a list, its numbers were added to the same list.
                _numbers.Clear();
            }
            else
            {
                Sink.RefuseVector(field, isOfVectors
                    ? "A list of vectors has vectors alone; this one has a number beside them."
                    : $"A vector is a list of numbers; number {_numbers.Count + 1} of this one is none.");
                return;
            }
        }

        if (_numbers.Count > 0)
        {
            Sink.AddVector(field, new MapVector(CollectionsMarshal.AsSpan(_numbers)));
        }
    }

    private void AddShape(MapField field, DynamicShape shape)
    {
        if (shape.WellKnownText is { } text)
        {
            Sink.AddShape(field, text);
        }
        else
        {
            Sink.AddPoint(field, shape.Latitude, shape.Longitude);
        }
    }

    private static FieldIndexing IndexingOf(DynamicField created) => created.Indexing is null ? FieldIndexing.Unset
        : Enum.TryParse(created.Indexing, ignoreCase: true, out FieldIndexing indexing)
            && Enum.IsDefined(indexing) && !char.IsDigit(created.Indexing[0])
        ? indexing
        : throw new InvalidOperationException(
            $"The field '{created.Name}' is created with the indexing '{created.Indexing}'; expected one of "
            + $"{string.Join(", ", Enum.GetNames<FieldIndexing>().Skip(1))}.");

    private void AddCreated(DynamicField created)
    {
        if (created.IsStored is null && created.Indexing is null)
        {
            Add(FieldOf(created.Name), created.Value);
            return;
        }

        if (!_byName.TryGetValue(created.Name, out MapField? field))
        {
            field = Sink.Field(created.Name, new IndexFieldOptions
            {
                IsStored = created.IsStored,
                Indexing = IndexingOf(created),
            });
            _byName[created.Name] = field;
        }

        Add(field, created.Value);
    }
}
