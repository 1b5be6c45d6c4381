using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <summary>Sends what is written as frames of pages, the last of which is empty.</summary>
internal sealed class PagesWriter(Stream stream, ulong lineage, long epoch) : Stream
{
    /// <summary>The most bytes of pages in a frame.</summary>
    internal const int PieceBytes = 256 * 1024;

    private readonly byte[] _piece = new byte[PieceBytes];
    private readonly byte[] _frame = new byte[ReplicaFrame.SizeOf(ReplicaMessageKind.Pages, PieceBytes)];
    private int _length;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Everything was written.</summary>
    internal async Task EndAsync(CancellationToken cancellation)
    {
        await SendAsync(cancellation).ConfigureAwait(false);
        await stream.WriteAsync(Frame(), cancellation).ConfigureAwait(false);
        await stream.FlushAsync(cancellation).ConfigureAwait(false);
    }

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (!buffer.IsEmpty)
        {
            buffer = buffer[Keep(buffer.Span)..];
            if (_length == PieceBytes)
            {
                await SendAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            buffer = buffer[Keep(buffer)..];
            if (_length == PieceBytes)
            {
                stream.Write(Frame().Span);
            }
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private int Keep(ReadOnlySpan<byte> bytes)
    {
        int count = Math.Min(bytes.Length, PieceBytes - _length);
        bytes[..count].CopyTo(_piece.AsSpan(_length));
        _length += count;
        return count;
    }

    private async ValueTask SendAsync(CancellationToken cancellation)
    {
        if (_length > 0)
        {
            await stream.WriteAsync(Frame(), cancellation).ConfigureAwait(false);
        }
    }

    private ReadOnlyMemory<byte> Frame()
    {
        var message = new ReplicaMessage { Kind = ReplicaMessageKind.Pages, Lineage = lineage, Epoch = epoch };
        int size = ReplicaFrame.SizeOf(ReplicaMessageKind.Pages, _length);
        ReplicaFrame.Write(message, _piece.AsSpan(0, _length), _frame.AsSpan(0, size));
        _length = 0;
        return _frame.AsMemory(0, size);
    }
}
