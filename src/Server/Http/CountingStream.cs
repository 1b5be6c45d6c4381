using System.IO.Pipelines;

namespace Raven.Server.Http;

/// <summary>Counts what is read through it: how many bytes were on the wire before they were inflated.</summary>
internal sealed class CountingStream(Stream inner) : Stream
{
    internal long BytesRead { get; private set; }

    /// <summary>The bytes of a body as Kestrel received them. Disposing it leaves the reader open.</summary>
    internal static CountingStream Of(PipeReader reader) => new(reader.AsStream(leaveOpen: true));

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
        int count = await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        BytesRead += count;
        return count;
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
}
