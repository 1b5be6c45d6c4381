using System.Net;

namespace Raven.Client.Http;

/// <summary>The rest of a stream as a body. The stream stays open: the caller owns it.</summary>
internal sealed class BorrowedStreamContent(Stream stream) : HttpContent
{
    protected override Task SerializeToStreamAsync(Stream target, TransportContext? context) =>
        stream.CopyToAsync(target);

    protected override Task SerializeToStreamAsync(
        Stream target, TransportContext? context, CancellationToken cancellationToken) =>
        stream.CopyToAsync(target, cancellationToken);

    protected override bool TryComputeLength(out long length)
    {
        length = stream.CanSeek ? stream.Length - stream.Position : 0;
        return stream.CanSeek;
    }
}
