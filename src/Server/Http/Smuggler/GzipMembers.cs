using System.Buffers;
using System.IO.Compression;

namespace Raven.Server.Http.Smuggler;

/// <summary>
/// Compresses by several threads: each piece of a megabyte is a member of its own of the gzip file (RFC 1952, 2.2), and
/// every reader takes all of them as one stream. The target stays open. One caller at a time.
/// </summary>
/// <param name="target">Takes the members, in their order.</param>
internal sealed class GzipMembers(Stream target) : Stream
{
    private const int PieceBytes = 1 << 20;

    /// <summary>Level 1 of zlib-ng leaves half as much again as level 2, which takes 1.5 times as long.</summary>
    private static readonly ZLibCompressionOptions Level = new() { CompressionLevel = 2 };

    private static readonly int ThreadsMax = Math.Clamp(Environment.ProcessorCount, 1, 4);

    private readonly Queue<Task<MemoryStream>> _underWay = new();
    private byte[] _piece = ArrayPool<byte>.Shared.Rent(PieceBytes);
    private int _used;
    private bool _isDisposed;

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
        while (buffer.Length > 0)
        {
            int count = Math.Min(buffer.Length, PieceBytes - _used);
            buffer[..count].CopyTo(_piece.AsMemory(_used));
            _used += count;
            buffer = buffer[count..];
            if (_used == PieceBytes)
            {
                await BeginMemberAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <summary>Does nothing: a member is as large as can be.</summary>
    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <summary>Writes what is left.</summary>
    public override async ValueTask DisposeAsync()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            if (_used > 0)
            {
                await BeginMemberAsync(CancellationToken.None).ConfigureAwait(false);
            }

            while (_underWay.Count > 0)
            {
                await WriteFirstAsync(CancellationToken.None).ConfigureAwait(false);
            }

            ArrayPool<byte>.Shared.Return(_piece);
        }

        await base.DisposeAsync().ConfigureAwait(false);
    }

    private async ValueTask BeginMemberAsync(CancellationToken cancellation)
    {
        if (_underWay.Count == ThreadsMax)
        {
            await WriteFirstAsync(cancellation).ConfigureAwait(false);
        }

        (byte[] piece, int length) = (_piece, _used);
        (_piece, _used) = (ArrayPool<byte>.Shared.Rent(PieceBytes), 0);
        _underWay.Enqueue(Task.Run(() => Pack(piece, length), CancellationToken.None));
    }

    private async ValueTask WriteFirstAsync(CancellationToken cancellation)
    {
        MemoryStream member = await _underWay.Dequeue().ConfigureAwait(false);
        await using (member.ConfigureAwait(false))
        {
            await target.WriteAsync(member.GetBuffer().AsMemory(0, (int)member.Length), cancellation)
                .ConfigureAwait(false);
        }
    }

    private static MemoryStream Pack(byte[] piece, int length)
    {
        var member = new MemoryStream(length / 2);
        using (var packing = new GZipStream(member, Level, leaveOpen: true))
        {
            packing.Write(piece, 0, length);
        }

        ArrayPool<byte>.Shared.Return(piece);
        return member;
    }
}
