using System.Net;
using System.Net.Http.Headers;

namespace Raven.Cluster.Store;

/// <summary>A body that knows whether it was sent, and is sent once: a handler repeats by itself what an idle
/// connection lost, and a transaction that was done twice says that it was not done.</summary>
internal sealed class OnceContent : HttpContent
{
    private readonly ReadOnlyMemory<byte> _body;
    private int _sent;

    internal OnceContent(ReadOnlyMemory<byte> body)
    {
        _body = body;
        Headers.ContentType = new MediaTypeHeaderValue("application/json");
    }

    /// <summary>Whether any of it may have left this process.</summary>
    internal bool IsSent => Volatile.Read(ref _sent) != 0;

    /// <inheritdoc/>
    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    /// <inheritdoc/>
    protected override async Task SerializeToStreamAsync(
        Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _sent, 1) != 0)
        {
            throw new HttpRequestException("The connection was lost after the request was sent.");
        }

        await stream.WriteAsync(_body, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    protected override bool TryComputeLength(out long length)
    {
        length = _body.Length;
        return true;
    }
}
