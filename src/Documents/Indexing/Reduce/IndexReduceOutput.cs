using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static.Values;
using Raven.Search;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>
/// Makes entries of the results of a reduce: each property is a field, and the whole result is stored.
/// </summary>
/// <param name="sink">Takes the entries.</param>
/// <param name="hasDurations">Whether a text of a result may be a duration.</param>
/// <param name="failed">Called if the results of a group cannot be indexed.</param>
internal sealed class IndexReduceOutput(IndexMapSink sink, bool hasDurations, Action<Exception> failed) : ReduceOutput
{
    private readonly Dictionary<string, MapField> _fields = new(StringComparer.Ordinal);
    private IndexBatch? _batch;

    /// <inheritdoc/>
    internal override OperationContext Context => sink.Context;

    internal void Begin(IndexBatch batch) => _batch = batch;

    /// <inheritdoc/>
    internal override void Put(ReadOnlySpan<byte> groupKey, BlittableObject result)
    {
        _batch!.Delete(groupKey);
        sink.BeginDocument(groupKey, id: default);
        try
        {
            sink.BeginEntry();
            for (int i = 0; i < result.Count; i++)
            {
                BlittableProperty property = result.GetProperty(i);
                Add(FieldOf(property), property.Value);
            }

            sink.Store(result);
            sink.EndEntry();
        }
        catch (Exception wrong) when (wrong is FormatException or SearchIndexException)
        {
            // Such as: the same field has vectors in some results and other values in others.
            sink.DropDocument();
            failed(wrong);
        }

        sink.Context.Reset();
    }

    /// <inheritdoc/>
    internal override void Delete(ReadOnlySpan<byte> groupKey) => _batch!.Delete(groupKey);

    /// <inheritdoc/>
    internal override void Fail(ReadOnlySpan<byte> groupKey, Exception failure)
    {
        _batch!.Delete(groupKey);
        failed(failure);
    }

    /// <summary>Adds a value of a result. Results are stored as JSON, which has no durations: a text in the form of
    /// one, which a map in C# writes, becomes one again.</summary>
    private void Add(MapField field, BlittableValue value)
    {
        if (hasDurations && field.Options.Vector is null)
        {
            if (value.TryGetArray(out BlittableArray items))
            {
                for (int i = 0; i < items.Count; i++)
                {
                    Add(field, items[i]);
                }

                return;
            }

            if (DynamicDates.TryReadDuration(value, out TimeSpan duration))
            {
                sink.AddDuration(field, duration);
                return;
            }
        }

        sink.Add(field, value);
    }

    private MapField FieldOf(BlittableProperty property)
    {
        string name = System.Text.Encoding.UTF8.GetString(property.Name);
        if (!_fields.TryGetValue(name, out MapField? field))
        {
            field = sink.Field(name);
            _fields[name] = field;
        }

        return field;
    }
}
