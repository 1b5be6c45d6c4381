using System.Text.Json;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads compare-exchange values by their keys, or those whose keys begin with a prefix.</summary>
internal sealed class GetCompareExchangeCommand : RavenCommand<List<JsonElement>>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    internal IReadOnlyList<string> Keys { get; init; } = [];

    internal string? StartsWith { get; init; }

    internal int? Start { get; init; }

    internal int? PageSize { get; init; }

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/cmpxchg").AddAll("key", Keys).Add("startsWith", StartsWith).Add("start", Start)
            .Add("pageSize", PageSize).ToRequest(HttpMethod.Get);

    protected internal override List<JsonElement> ReadResponse(RavenResponse response) => response.IsNotFound
        ? []
        : [.. response.ReadJson().GetProperty("Results").EnumerateArray()
            .Where(value => value.ValueKind == JsonValueKind.Object && HasValue(value))];

    private static bool HasValue(JsonElement value) =>
        value.TryGetProperty("Value", out JsonElement inner) && inner.ValueKind == JsonValueKind.Object;
}
