using System.Text.Json;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>One of several reads that are sent in one request.</summary>
/// <param name="Path">The path below the database, from its slash.</param>
/// <param name="Query">The query of the url, from its question mark.</param>
/// <param name="Content">The body of a read that is posted; null for a GET.</param>
internal sealed record InnerRequest(string Path, string Query, Action<Utf8JsonWriter>? Content)
{
    /// <summary>How long the server may wait before it answers this one.</summary>
    internal TimeSpan ServerWaitMax { get; init; }

    /// <summary>
    /// The change vector of a document that need not be sent again; null to get the document in any case.
    /// </summary>
    internal string? KnownChangeVector { get; init; }

    internal static InnerRequest Of(GetDocumentsCommand command)
    {
        string url = command.BuildUrl(new ServerNode("", null)).ToString();
        int mark = url.IndexOf('?', StringComparison.Ordinal);
        return new InnerRequest("/docs", mark < 0 ? "" : url[mark..], command.IsPosted ? command.WriteIds : null);
    }
}
