using Microsoft.Extensions.Primitives;

namespace Raven.Server.Http;

/// <summary>
/// The content types that answers have; made once, because a header value is a string array to Kestrel.
/// </summary>
internal static class ContentType
{
    internal static readonly StringValues Json = "application/json; charset=utf-8";
    internal static readonly StringValues JsonLines = "application/x-ndjson; charset=utf-8";
    internal static readonly StringValues Csv = "text/csv; charset=utf-8";
    internal static readonly StringValues Text = "text/plain; charset=utf-8";
    internal static readonly StringValues Prometheus = "text/plain; version=0.0.4; charset=utf-8";
}
