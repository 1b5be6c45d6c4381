using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing.Auto;

/// <summary>The vectors of documents, for a field of an automatic index. One thread at a time.</summary>
internal sealed class VectorPath(AutoVector vector)
{
    private readonly FieldPath _path = new(vector.Path);
    private readonly List<BlittableValue> _values = [];

    /// <summary>Makes the field in an index.</summary>
    internal MapField Bind(MapSink sink) => sink.Field(
        vector.Expression,
        new IndexFieldOptions { Vector = new VectorFieldOptions(vector.Source, vector.Destination) });

    /// <summary>Adds the vectors of a document. A value that is no vector is an error of the index, but the document
    /// stays in it with its other fields: other queries use the same index.</summary>
    internal void AddTo(in StoredDocument document, MapSink sink, MapField field)
    {
        _values.Clear();
        _path.Collect(document.Data.AsValue(), _values);
        foreach (BlittableValue value in _values)
        {
            sink.AddVector(field, new MapVector(value));
        }
    }
}
