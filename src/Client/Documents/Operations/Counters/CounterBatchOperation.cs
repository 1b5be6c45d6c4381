using System.Text.Json;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Counters;

/// <summary>Changes counters of documents, all of them or none; returns the new values by document and name.</summary>
/// <param name="changes">The changes, one for each document.</param>
public sealed class CounterBatchOperation(params CountersBatchCommandData[] changes)
    : IOperation<Dictionary<string, Dictionary<string, long?>>>
{
    /// <inheritdoc/>
    public RavenCommand<Dictionary<string, Dictionary<string, long?>>> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<Dictionary<string, Dictionary<string, long?>>>(
            node => new UrlBuilder(node, "/counters").ToRequest(HttpMethod.Post, JsonBody.Write(Write)),
            response => Read(response.ReadJson()), isRead: false);

    private static Dictionary<string, Dictionary<string, long?>> Read(JsonElement json)
    {
        Dictionary<string, Dictionary<string, long?>> values = new(StringComparer.OrdinalIgnoreCase);
        foreach (JsonElement counter in json.GetProperty("Counters").EnumerateArray())
        {
            if (counter.ValueKind == JsonValueKind.Object)
            {
                string id = counter.GetProperty("DocumentId").GetString()!;
                if (!values.TryGetValue(id, out Dictionary<string, long?>? ofDocument))
                {
                    values.Add(id, ofDocument = new(StringComparer.OrdinalIgnoreCase));
                }

                ofDocument[counter.GetProperty("CounterName").GetString()!] =
                    counter.GetProperty("TotalValue").GetInt64();
            }
        }

        return values;
    }

    private void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteStartArray("Documents"u8);
        foreach (CountersBatchCommandData change in changes)
        {
            writer.WriteStartObject();
            change.WriteBody(writer);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }
}
