using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Auto;

/// <summary>
/// The points and shapes of documents, for a spatial field of an automatic index. One thread at a time.
/// </summary>
internal sealed class SpatialPath(AutoSpatial spatial)
{
    private readonly FieldPath _first = new(spatial.First);
    private readonly FieldPath? _longitude = spatial.Longitude is { } path ? new FieldPath(path) : null;
    private readonly List<BlittableValue> _values = [];
    private readonly List<BlittableValue> _longitudes = [];

    /// <summary>
    /// Adds the points and shapes of a document. Other values are skipped, as the index has the document also for
    /// its other fields.
    /// </summary>
    internal void AddTo(in StoredDocument document, MapSink sink, MapField field)
    {
        _values.Clear();
        _first.Collect(document.Data.AsValue(), _values);
        if (_longitude is null)
        {
            foreach (BlittableValue value in _values)
            {
                AddShape(value, sink, field);
            }

            return;
        }

        _longitudes.Clear();
        _longitude.Collect(document.Data.AsValue(), _longitudes);
        for (int i = 0; i < Math.Min(_values.Count, _longitudes.Count); i++)
        {
            if (TryRead(_values[i], 90, out double latitude) && TryRead(_longitudes[i], 180, out double longitude))
            {
                sink.AddPoint(field, latitude, longitude);
            }
        }
    }

    private static bool TryRead(BlittableValue value, double degreesMax, out double degrees)
    {
        degrees = 0;
        return value.Kind is ValueKind.Integer or ValueKind.Number && value.TryGetDouble(out degrees)
            && Math.Abs(degrees) <= degreesMax;
    }

    private static void AddShape(BlittableValue value, MapSink sink, MapField field)
    {
        if (value.Kind != ValueKind.String)
        {
            return;
        }

        try
        {
            sink.AddShape(field, value.GetString());
        }
        catch (Exception e) when (e is FormatException or SearchIndexException)
        {
            // The text is no shape, or a shape with too many points.
        }
    }
}
