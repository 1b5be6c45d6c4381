using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Auto;

/// <summary>
/// The map of an automatic index: it makes one entry of each document, or of each item of an array that is grouped by.
/// Each path of the query is a field.
/// </summary>
internal sealed class AutoMap : DocumentMap
{
    private readonly AutoField[] _definition;
    private readonly FieldPath[] _paths;
    private readonly SpatialPath?[] _spatials;
    private readonly VectorPath?[] _vectors;
    private readonly FanOut? _fanOut;
    private readonly MapField[][] _fields;
    private MapSink? _sink;

    /// <summary>Makes the map of a definition.</summary>
    internal AutoMap(IndexDefinition definition)
        : base(definition.AutoCollection is { } collection ? [collection] : [])
    {
        _definition = [.. definition.AutoFields.Where(field => field.Aggregate != AggregateKind.Count)];
        _paths = [.. _definition.Select(field => new FieldPath(field.Path))];
        _spatials = [.. _definition.Select(field => field.Spatial is { } spatial ? new SpatialPath(spatial) : null)];
        _vectors = [.. _definition.Select(field => field.Vector is { } vector ? new VectorPath(vector) : null)];
        _fanOut = FanOut.Of(_definition);
        _fields = new MapField[_definition.Length][];
    }

    /// <summary>The name of the field with the exact values.</summary>
    internal static string ExactName(string path) => $"exact({path})";

    /// <summary>The name of the field with the words.</summary>
    internal static string SearchName(string path) => $"search({path})";

    /// <inheritdoc/>
    internal override void Run(in StoredDocument document, MapSink sink)
    {
        if (!ReferenceEquals(_sink, sink))
        {
            Bind(sink);
        }

        if (_fanOut is not null)
        {
            _fanOut.Run(in document, sink, _paths, _fields);
            return;
        }

        sink.BeginEntry();
        for (int i = 0; i < _paths.Length; i++)
        {
            if (_spatials[i] is { } spatial)
            {
                spatial.AddTo(in document, sink, _fields[i][0]);
            }
            else if (_vectors[i] is { } vector)
            {
                vector.AddTo(in document, sink, _fields[i][0]);
            }
            else
            {
                AddTo(in document, sink, _definition[i], _paths[i], _fields[i]);
            }
        }

        sink.EndEntry();
    }

    /// <summary>
    /// Adds the values of a document at a path: each as a value of its own; or, if the key is the whole array, all of
    /// them as one array, whatever their number.
    /// </summary>
    internal static void AddTo(
        in StoredDocument document, MapSink sink, AutoField definition, FieldPath path, ReadOnlySpan<MapField> fields)
    {
        if (!definition.IsWhole)
        {
            path.AddTo(in document, sink, fields);
            return;
        }

        List<BlittableValue> values = [];
        if (sink is ValueSink whole && path.Collect(document.Data.AsValue(), values))
        {
            whole.Add(fields[0], DynamicValue.List([.. values.Select(DynamicValue.Of)]));
            return;
        }

        path.AddTo(in document, sink, fields);
    }

    private void Bind(MapSink sink)
    {
        for (int i = 0; i < _definition.Length; i++)
        {
            AutoField field = _definition[i];
            if (_vectors[i] is { } vector)
            {
                _fields[i] = [vector.Bind(sink)];
                continue;
            }

            List<MapField> fields = [sink.Field(field.Path)];
            if (field.HasExact)
            {
                fields.Add(sink.Field(
                    ExactName(field.Path), new IndexFieldOptions { Indexing = FieldIndexing.Exact }));
            }

            if (field.HasSearch)
            {
                fields.Add(sink.Field(field.Path, new IndexFieldOptions { Indexing = FieldIndexing.Search }));
            }

            _fields[i] = [.. fields];
        }

        _sink = sink;
    }
}
