using System.Buffers.Binary;
using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <summary>Gives the bytes of the frames of pages that come by a connection, until an empty one.</summary>
internal sealed class PagesReader(Stream stream, ulong lineage, Action<int> progress) : Stream
{
    private const int LengthBytes = 4;

    private static readonly int FrameMax = ReplicaFrame.SizeOf(ReplicaMessageKind.Pages, PagesWriter.PieceBytes);
    private static readonly int FrameMin = ReplicaFrame.SizeOf(ReplicaMessageKind.Pages, 0);

    private readonly byte[] _frame = new byte[FrameMax];
    private Range _rest;
    private bool _isOver;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(
        Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (!_isOver && buffer.Length > 0 && Left == 0)
        {
            await stream.ReadExactlyAsync(_frame.AsMemory(0, LengthBytes), cancellationToken).ConfigureAwait(false);
            await stream.ReadExactlyAsync(_frame.AsMemory(LengthBytes, RestOfFrame()), cancellationToken)
                .ConfigureAwait(false);
            Open();
        }

        return Give(buffer.Span);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(Span<byte> buffer)
    {
        while (!_isOver && buffer.Length > 0 && Left == 0)
        {
            stream.ReadExactly(_frame.AsSpan(0, LengthBytes));
            stream.ReadExactly(_frame.AsSpan(LengthBytes, RestOfFrame()));
            Open();
        }

        return Give(buffer);
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private int Left => _rest.End.Value - _rest.Start.Value;

    private int RestOfFrame()
    {
        int length = BinaryPrimitives.ReadInt32LittleEndian(_frame);
        return length >= FrameMin && length <= FrameMax
            ? length - LengthBytes
            : throw new InvalidDataException($"A frame of pages has {FrameMin} to {FrameMax} bytes, not {length}.");
    }

    private void Open()
    {
        int length = BinaryPrimitives.ReadInt32LittleEndian(_frame);
        ReplicaFrameStatus status = ReplicaFrame.Read(
            _frame.AsSpan(0, length), out ReplicaMessage message, out Range body, out _);
        if (status != ReplicaFrameStatus.Whole || message.Kind != ReplicaMessageKind.Pages)
        {
            throw new InvalidDataException("A frame of pages was changed on the way.");
        }

        if (message.Lineage != lineage)
        {
            throw new InvalidDataException("The pages are of another history than the group's.");
        }

        _rest = body;
        _isOver = Left == 0;
        progress(length);
    }

    private int Give(Span<byte> buffer)
    {
        int count = Math.Min(buffer.Length, Left);
        _frame.AsSpan(_rest.Start.Value, count).CopyTo(buffer);
        _rest = (_rest.Start.Value + count).._rest.End.Value;
        return count;
    }
}
