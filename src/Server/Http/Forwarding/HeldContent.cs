using System.Net;

namespace Raven.Server.Http.Forwarding;

/// <summary>
/// A body in memory on its way to another node. Also a write without a body has one, of no bytes: what has no content
/// is sent again by the library when its connection ends without an answer, and would be done twice.
/// </summary>
/// <param name="bytes">The bytes.</param>
internal sealed class HeldContent(ReadOnlyMemory<byte> bytes) : HttpContent
{
    private volatile bool _isBegun;

    /// <summary>Whether none of its bytes were sent, so that whoever has to read them has done nothing.</summary>
    internal bool IsUnsent => !_isBegun && bytes.Length > 0;

    /// <inheritdoc/>
    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    /// <inheritdoc/>
    protected override Task SerializeToStreamAsync(
        Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        _isBegun = true;
        return stream.WriteAsync(bytes, cancellationToken).AsTask();
    }

    /// <inheritdoc/>
    protected override bool TryComputeLength(out long length)
    {
        length = bytes.Length;
        return true;
    }
}
