namespace Raven.Server.Http;

/// <summary>
/// A stream that an inflater reads once, forward and asynchronously; counts the bytes. Disposing it does nothing.
/// </summary>
internal abstract class CountedStream : Stream
{
    internal long BytesRead { get; private set; }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        int length = await ReadBytesAsync(buffer, cancellationToken).ConfigureAwait(false);
        BytesRead += length;
        return length;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <summary>Reads some bytes; 0 at the end.</summary>
    private protected abstract ValueTask<int> ReadBytesAsync(Memory<byte> buffer, CancellationToken cancellation);
}
