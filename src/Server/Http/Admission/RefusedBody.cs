using Microsoft.AspNetCore.Http.Features;

namespace Raven.Server.Http.Admission;

/// <summary>
/// The body of a request that is refused before anything of it was read. Kestrel reads it behind the answer and drops
/// it: a client that still sends would not get the answer otherwise. Of a stranger it reads a bounded part.
/// </summary>
internal static class RefusedBody
{
    /// <summary>What is read at most: as much as Kestrel takes from the socket before anyone asks for it.</summary>
    internal const long SizeBytesMax = 1 << 20;

    /// <summary>Ends the connection behind the answer if the body is longer than that.</summary>
    internal static void Limit(RequestContext request)
    {
        IHttpMaxRequestBodySizeFeature? size = request.Features.Get<IHttpMaxRequestBodySizeFeature>();
        if (size is { IsReadOnly: false } && !(size.MaxRequestBodySize <= SizeBytesMax))
        {
            size.MaxRequestBodySize = SizeBytesMax;
        }
    }
}
