using System.Text.Json;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>
/// Reads documents by their ids, or a page of those whose ids begin with a prefix; and the documents that
/// they refer to.
/// </summary>
internal sealed class GetDocumentsCommand : RavenCommand<GetDocumentsResult>
{
    /// <summary>
    /// If the ids are longer than this in total, they are sent in a body: servers and proxies refuse longer urls.
    /// </summary>
    private const int UrlIdsLengthMax = 1024;

    public override bool IsReadRequest => true;

    /// <summary>
    /// Whether the answer can be cached: not if compare-exchange values are included, as their changes
    /// are not reported.
    /// </summary>
    public override bool CanCache => !IsPosted && Includes.CompareExchange.Count == 0;

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

    internal bool IsPosted =>
        (Ids.Count == 1 ? Ids[0].Length : Ids.Sum(id => id.Length)) >= UrlIdsLengthMax;

    /// <summary>Whether it reads one document and nothing else: the most frequent request of all.</summary>
    private bool IsOne => Ids.Count == 1 && !IsPosted && Includes.IsEmpty && StartsWith is null;

    /// <summary>The query of the url, from its question mark.</summary>
    internal UrlBuilder BuildUrl(ServerNode node)
    {
        UrlBuilder url = new UrlBuilder(node, "/docs").Add("startsWith", StartsWith).Add("matches", Matches)
            .Add("exclude", Exclude).Add("startAfter", StartAfter).Add("start", Start).Add("pageSize", PageSize);
        Includes.AddTo(url);
        return IsPosted ? url : url.AddAll("id", Ids);
    }

    internal override bool IsTracked(ReadOnlyMemory<byte> answer) => Includes.Series.Count == 0;

    protected internal override HttpRequestMessage CreateRequest(ServerNode node)
    {
        if (IsOne)
        {
            string only = string.Concat(node.BaseUrl, "/docs?id=", Uri.EscapeDataString(Ids[0]));
            return new HttpRequestMessage(HttpMethod.Get, new Uri(only, UrlBuilder.AsItIs));
        }

        UrlBuilder url = BuildUrl(node);
        return IsPosted ? url.ToRequest(HttpMethod.Post, JsonBody.Write(WriteIds)) : url.ToRequest(HttpMethod.Get);
    }

    protected internal override GetDocumentsResult ReadResponse(RavenResponse response) =>
        GetDocumentsResult.Parse(response.IsNotFound ? default : response.Body);

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
