namespace Raven.Server.Http.Smuggler;

/// <summary>What is written to it is the answer of a request, sent as the client takes it. Only written asynchronously.
/// </summary>
internal sealed class AnswerStream(RequestContext request) : Stream
{
    private const long BufferedBytesMax = 256 * 1024;

    /// <summary>True if the answer is broken off: what is written from now on, such as the end of a compression, is
    /// dropped, so that no client takes it for whole.</summary>
    internal bool IsBroken { get; set; }

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (IsBroken)
        {
            return;
        }

        request.Response.Write(buffer.Span);
        if (request.Response.BufferedBytes >= BufferedBytesMax)
        {
            cancellationToken.ThrowIfCancellationRequested();
            request.Aborted.ThrowIfCancellationRequested();
            await request.Response.FlushAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (!IsBroken)
        {
            request.Response.Write(buffer);
        }
    }

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();
}
