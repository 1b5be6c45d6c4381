using System.Net.Http.Headers;
using System.Text.Json;
using Raven.Client.Json;

namespace Raven.Client.Http;

/// <summary>An answer, read to its end.</summary>
public sealed class RavenResponse
{
    private readonly string? _keptTag;

    /// <summary>An answer of a server, or one from the cache.</summary>
    /// <param name="statusCode">The status.</param>
    /// <param name="headers">The headers.</param>
    /// <param name="body">The body.</param>
    /// <param name="keptTag">The entity tag of a cached answer; null if it is in the headers.</param>
    internal RavenResponse(
        int statusCode, HttpResponseHeaders headers, ReadOnlyMemory<byte> body, string? keptTag = null)
    {
        StatusCode = statusCode;
        Headers = headers;
        Body = body;
        _keptTag = keptTag;
    }

    /// <summary>The HTTP status: 2xx, 304 or 404.</summary>
    public int StatusCode { get; }

    /// <summary>The headers; if the body came from the cache, those of the latest answer.</summary>
    public HttpResponseHeaders Headers { get; }

    /// <summary>The body, which is not changed; empty if there was none.</summary>
    public ReadOnlyMemory<byte> Body { get; }

    /// <summary>The entity tag without its quotes; null if there was none.</summary>
    public string? ETag => _keptTag ?? TagOf(Headers);

    /// <summary>True if what the url names does not exist.</summary>
    public bool IsNotFound => StatusCode == 404;

    /// <summary>The body as JSON. The element refers to <see cref="Body"/> and stays valid.</summary>
    /// <exception cref="JsonException">The body is no JSON.</exception>
    public JsonElement ReadJson() => JsonFormats.Parse(Body);

    /// <summary>The entity tag without its quotes, as it was written; null if there is none.</summary>
    internal static string? TagOf(HttpResponseHeaders headers) =>
        headers.NonValidated.TryGetValues("ETag", out HeaderStringValues values) ? values.ToString().Trim('"') : null;
}
