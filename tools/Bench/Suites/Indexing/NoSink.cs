using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;

namespace Raven.Tools.Bench.Suites.Indexing;

/// <summary>Takes entries and counts their values, so that a row measures the map alone.</summary>
internal sealed class NoSink : MapSink
{
    internal long Values { get; private set; }

    internal override OperationContext Context { get; } = new();

    internal override MapField Field(string name) => new(name, IndexFieldOptions.Default);

    internal override MapField Field(string name, IndexFieldOptions options) => new(name, options);

    internal override void BeginEntry()
    {
    }

    /// <summary>Reads texts as far as an index would have to: their place and their length.</summary>
    internal override void Add(MapField field, BlittableValue value)
    {
        if (value.TryGetUtf8(out ReadOnlySpan<byte> text))
        {
            Values += text.Length > 0 ? 1 : 0;
        }
        else
        {
            Values++;
        }
    }

    internal override void Add(MapField field, ReadOnlySpan<byte> text) => Values++;

    internal override void Add(MapField field, string text) => Values++;

    internal override void Add(MapField field, long value) => Values++;

    internal override void Add(MapField field, double value) => Values++;

    internal override void Add(MapField field, bool value) => Values++;

    internal override void AddNull(MapField field) => Values++;

    internal override void EndEntry()
    {
    }

    internal override void AddReference(ReadOnlySpan<byte> id, string collection)
    {
    }

    internal override void AddValueReference(ReadOnlySpan<byte> key)
    {
    }
}
