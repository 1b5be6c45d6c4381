using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;

namespace Raven.Server.Http.Admission;

/// <summary>
/// The body of an HTTP/1.1 request that is answered and was not read to its end (GUARD-6). Kestrel drops what is left
/// of it, but not if the client has gone meanwhile: it reads the next request from what has arrived, and that is the
/// body, which may come from somebody with fewer rights than the client.
/// </summary>
internal static class UnreadBody
{
    /// <summary>What is read at most: as much as Kestrel takes from the socket before anyone asks for it.</summary>
    internal const long SizeBytesMax = 1 << 20;

    /// <summary>
    /// Ends the connection behind the answer if the body is longer than that: for a stranger's. Kestrel reads it
    /// otherwise, as a client that still sends would not get the answer.
    /// </summary>
    internal static void Limit(RequestContext request)
    {
        IHttpMaxRequestBodySizeFeature? size = request.Features.Get<IHttpMaxRequestBodySizeFeature>();
        if (size is { IsReadOnly: false } && !(size.MaxRequestBodySize <= SizeBytesMax))
        {
            size.MaxRequestBodySize = SizeBytesMax;
        }
    }

    /// <summary>Reads what has arrived of the rest; ends the connection behind the answer if that is not all.</summary>
    internal static void Leave(RequestContext request)
    {
        IHeaderDictionary headers = request.Headers;
        bool hasBody = headers.ContentLength > 0 || headers.TransferEncoding.Count != 0;
        if (hasBody && !request.EndBody() && request.Features.Get<IHttp2StreamIdFeature>() == null
            && !TryReadToEnd(request))
        {
            CloseConnection(request);
        }
    }

    /// <summary>No request is read from the connection behind this one.</summary>
    internal static void CloseConnection(RequestContext request) =>
        request.Features.Get<IConnectionLifetimeNotificationFeature>()?.RequestClose();

    private static bool TryReadToEnd(RequestContext request)
    {
        if (request.Headers.Expect.Count != 0)
        {
            // To read would ask for the body.
            return false;
        }

        try
        {
            PipeReader reader = request.Features.Get<IRequestBodyPipeFeature>()!.Reader;
            long left = SizeBytesMax;
            while (left > 0 && reader.TryRead(out ReadResult result))
            {
                left -= Math.Max(1, result.Buffer.Length);
                reader.AdvanceTo(result.Buffer.End);
                if (result.IsCompleted)
                {
                    return true;
                }
            }
        }
        catch (Exception broken) when (broken is IOException or OperationCanceledException or InvalidOperationException)
        {
            // Its framing is wrong, it is too long, or the client has gone.
        }

        return false;
    }
}
