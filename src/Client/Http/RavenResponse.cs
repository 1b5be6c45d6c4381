using System.Net.Http.Headers;
using System.Text.Json;

namespace Raven.Client.Http;

/// <summary>An answer, read to its end.</summary>
public sealed class RavenResponse
{
    internal RavenResponse(int statusCode, HttpResponseHeaders headers, ReadOnlyMemory<byte> body, string? etag)
    {
        StatusCode = statusCode;
        Headers = headers;
        Body = body;
        ETag = etag;
    }

    /// <summary>The HTTP status: 2xx, 304 or 404.</summary>
    public int StatusCode { get; }

    /// <summary>The headers; those of a repeated answer where the body came from the cache.</summary>
    public HttpResponseHeaders Headers { get; }

    /// <summary>The body, which nobody else changes; empty where there was none.</summary>
    public ReadOnlyMemory<byte> Body { get; }

    /// <summary>The entity tag without its quotes; null where there was none.</summary>
    public string? ETag { get; }

    /// <summary>True where what was asked for is not there.</summary>
    public bool IsNotFound => StatusCode == 404;

    /// <summary>The body as JSON. The element refers to <see cref="Body"/> and stays valid.</summary>
    /// <exception cref="JsonException">The body is no JSON.</exception>
    public JsonElement ReadJson() => JsonDocument.Parse(Body).RootElement;
}
