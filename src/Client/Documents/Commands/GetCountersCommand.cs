using System.Text.Json;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads counters of a document; all of them if none is named.</summary>
internal sealed class GetCountersCommand(string id, IReadOnlyList<string> names)
    : RavenCommand<Dictionary<string, long?>>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    internal override string Kind => "counters";

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/counters").Add("docId", id).AddAll("counter", names).ToRequest(HttpMethod.Get);

    protected internal override Dictionary<string, long?> ReadResponse(RavenResponse response) =>
        response.IsNotFound ? [] : Parse(response.ReadJson());

    internal static Dictionary<string, long?> Parse(JsonElement json)
    {
        Dictionary<string, long?> values = new(StringComparer.OrdinalIgnoreCase);
        foreach (JsonElement counter in json.GetProperty("Counters").EnumerateArray())
        {
            if (counter.ValueKind == JsonValueKind.Object)
            {
                values[counter.GetProperty("CounterName").GetString()!] = counter.GetProperty("TotalValue").GetInt64();
            }
        }

        return values;
    }
}
