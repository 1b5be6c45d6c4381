using System.Globalization;
using System.Text.Json;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads revisions of a document, the latest first, or those with given change vectors.</summary>
internal sealed class GetRevisionsCommand : RavenCommand<List<JsonElement>>
{
    public override bool IsReadRequest => true;

    internal string? Id { get; init; }

    internal IReadOnlyList<string> ChangeVectors { get; init; } = [];

    internal DateTime? Before { get; init; }

    internal int? Start { get; init; }

    internal int? PageSize { get; init; }

    internal bool MetadataOnly { get; init; }

    internal override string Kind => "revisions";

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/revisions").Add("id", Id).AddAll("changeVector", ChangeVectors)
            .Add("before", Before?.ToUniversalTime().ToString("O", CultureInfo.InvariantCulture))
            .Add("start", Start).Add("pageSize", PageSize).Add("metadataOnly", MetadataOnly)
            .ToRequest(HttpMethod.Get);

    protected internal override List<JsonElement> ReadResponse(RavenResponse response) =>
        response.IsNotFound ? [] : [.. response.ReadJson().GetProperty("Results").EnumerateArray()];
}
