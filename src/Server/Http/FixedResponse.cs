using Microsoft.Extensions.Primitives;

namespace Raven.Server.Http;

/// <summary>A body that never changes, with its content type: made once, written many times.</summary>
/// <param name="Body">The bytes.</param>
/// <param name="ContentType">The content type.</param>
public sealed record FixedResponse(ReadOnlyMemory<byte> Body, StringValues ContentType)
{
    /// <summary>A fixed JSON text.</summary>
    public static FixedResponse Json(ReadOnlySpan<byte> json) => new(json.ToArray(), Http.ContentType.Json);
}
