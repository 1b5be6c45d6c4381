using System.Buffers;
using System.Globalization;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;

namespace FastTests.Indexing.Static;

/// <summary>Writes down the entries of maps: <c>Name="x" Tags=1,2</c>, and what they refer to.</summary>
internal sealed class RecordingSink : MapSink, IDisposable
{
    private readonly List<(string Name, List<string> Values)> _fields = [];

    internal List<string> Entries { get; } = [];

    internal List<string> References { get; } = [];

    internal Dictionary<string, IndexFieldOptions> Options { get; } = [];

    internal override OperationContext Context { get; } = new();

    internal override MapField Field(string name) => new(name, IndexFieldOptions.Default);

    internal override MapField Field(string name, IndexFieldOptions options)
    {
        Options[name] = options;
        return new MapField(name, options);
    }

    internal override void BeginEntry() => _fields.Clear();

    internal override void Add(MapField field, BlittableValue value)
    {
        if (value.TryGetArray(out BlittableArray items))
        {
            for (int i = 0; i < items.Count; i++)
            {
                Add(field, items[i]);
            }

            return;
        }

        if (value.Kind == ValueKind.Object)
        {
            var json = new ArrayBufferWriter<byte>();
            BlittableToJson.Write(value, json, JsonOutputOptions.Default);
            Note(field, Encoding.UTF8.GetString(json.WrittenSpan));
            return;
        }

        Note(field, value.Kind == ValueKind.String ? $"\"{value.GetString()}\"" : value.Kind.ToString());
    }

    internal override void Add(MapField field, ReadOnlySpan<byte> text) =>
        Note(field, $"\"{Encoding.UTF8.GetString(text)}\"");

    internal override void Add(MapField field, string text) => Note(field, $"\"{text}\"");

    internal override void Add(MapField field, long value) => Note(field, value.ToString(CultureInfo.InvariantCulture));

    internal override void Add(MapField field, double value) =>
        Note(field, value.ToString("0.0##########", CultureInfo.InvariantCulture));

    internal override void Add(MapField field, bool value) => Note(field, value ? "true" : "false");

    internal override void AddNull(MapField field) => Note(field, "null");

    internal override void EndEntry() =>
        Entries.Add(string.Join(' ', _fields.Select(field => $"{field.Name}={string.Join(',', field.Values)}")));

    internal override void AddReference(ReadOnlySpan<byte> id, string collection) =>
        References.Add($"{Encoding.UTF8.GetString(id)} in {collection}");

    internal override void AddValueReference(ReadOnlySpan<byte> key) =>
        References.Add($"value of {Encoding.UTF8.GetString(key)}");

    public void Dispose() => Context.Dispose();

    private void Note(MapField field, string value)
    {
        if (_fields.Find(known => known.Name == field.Name).Values is not { } values)
        {
            values = [];
            _fields.Add((field.Name, values));
        }

        values.Add(value);
    }
}
