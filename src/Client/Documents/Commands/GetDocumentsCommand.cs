using System.Text.Json;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads documents by their ids, or a page of those whose ids begin alike, and what they refer to.</summary>
internal sealed class GetDocumentsCommand : RavenCommand<GetDocumentsResult>
{
    /// <summary>Ids that are longer in all go into a body: servers and proxies refuse longer urls.</summary>
    private const int UrlIdsLengthMax = 1024;

    public override bool IsReadRequest => true;

    public override bool CanCache => !IsPosted;

    internal override string Kind => StartsWith != null ? "load by prefix"
        : Ids.Count == 1 ? "load of one document" : "load of several documents";

    internal IReadOnlyList<string> Ids { get; init; } = [];

    internal IncludeList Includes { get; init; } = IncludeList.None;

    internal string? StartsWith { get; init; }

    internal string? Matches { get; init; }

    internal string? Exclude { get; init; }

    internal string? StartAfter { get; init; }

    internal int? Start { get; init; }

    internal int? PageSize { get; init; }

    internal bool IsPosted => Ids.Sum(id => id.Length) >= UrlIdsLengthMax;

    /// <summary>What an answer says; nothing where there was no such document.</summary>
    internal static GetDocumentsResult Parse(JsonElement json)
    {
        var result = new GetDocumentsResult();
        if (json.ValueKind != JsonValueKind.Object)
        {
            return result;
        }

        if (json.TryGetProperty("Results", out JsonElement results))
        {
            result.Results.AddRange(results.EnumerateArray());
        }

        result.ReadIncludes(json);
        return result;
    }

    /// <summary>The query of the url, from its question mark.</summary>
    internal UrlBuilder BuildUrl(ServerNode node)
    {
        UrlBuilder url = new UrlBuilder(node, "/docs").Add("startsWith", StartsWith).Add("matches", Matches)
            .Add("exclude", Exclude).Add("startAfter", StartAfter).Add("start", Start).Add("pageSize", PageSize);
        Includes.AddTo(url);
        return IsPosted ? url : url.AddAll("id", Ids);
    }

    protected internal override HttpRequestMessage CreateRequest(ServerNode node)
    {
        UrlBuilder url = BuildUrl(node);
        return IsPosted ? url.ToRequest(HttpMethod.Post, JsonBody.Write(WriteIds)) : url.ToRequest(HttpMethod.Get);
    }

    protected internal override GetDocumentsResult ReadResponse(RavenResponse response) =>
        response.IsNotFound ? new GetDocumentsResult() : Parse(response.ReadJson());

    internal void WriteIds(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteStartArray("Ids"u8);
        foreach (string id in Ids)
        {
            writer.WriteStringValue(id);
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }
}
