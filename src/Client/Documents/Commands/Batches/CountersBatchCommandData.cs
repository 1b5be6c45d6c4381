using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Changes counters of one document.</summary>
/// <param name="id">The document.</param>
public sealed class CountersBatchCommandData(string id) : ICommandData
{
    private readonly List<(string Name, long? Delta)> _operations = [];

    /// <inheritdoc/>
    public string Id => id;

    /// <inheritdoc/>
    public string Type => "Counters";

    /// <summary>Adds to a counter, which begins at 0.</summary>
    public CountersBatchCommandData Increment(string name, long delta = 1)
    {
        int known = _operations.FindIndex(operation => operation.Name == name && operation.Delta != null);
        if (known < 0)
        {
            _operations.Add((name, delta));
        }
        else
        {
            _operations[known] = (name, checked(_operations[known].Delta + delta));
        }

        return this;
    }

    /// <summary>Deletes a counter.</summary>
    public CountersBatchCommandData Delete(string name)
    {
        _operations.RemoveAll(operation => operation.Name == name);
        _operations.Add((name, null));
        return this;
    }

    internal IEnumerable<string> DeletedNames =>
        _operations.Where(operation => operation.Delta is null).Select(operation => operation.Name);

    internal bool HasDelete(string name) => _operations.Exists(it => it.Name == name && it.Delta == null);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, id);
        writer.WriteString("Type"u8, "Counters"u8);
        writer.WriteStartObject("Counters"u8);
        WriteBody(writer);
        writer.WriteEndObject();
        writer.WriteEndObject();
    }

    internal void WriteBody(Utf8JsonWriter writer)
    {
        writer.WriteString("DocumentId"u8, id);
        writer.WriteStartArray("Operations"u8);
        foreach ((string name, long? delta) in _operations)
        {
            writer.WriteStartObject();
            writer.WriteString("Type"u8, delta is null ? "Delete"u8 : "Increment"u8);
            writer.WriteString("CounterName"u8, name);
            if (delta is { } value)
            {
                writer.WriteNumber("Delta"u8, value);
            }

            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }
}
