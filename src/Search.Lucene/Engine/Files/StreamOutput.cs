using System.Buffers;
using Lucene.Net.Store;
using Raven.Storage.Streams;

namespace Raven.Search.Lucene.Engine.Files;

/// <summary>Gets the next bytes of a file.</summary>
internal delegate void ByteSink(ReadOnlySpan<byte> bytes);

/// <summary>Writes a file of Lucene, in pieces of up to a megabyte.</summary>
internal sealed class StreamOutput : BufferedIndexOutput
{
    private const int FirstBytes = 32 << 10;

    private readonly ByteSink _append;
    private readonly Action _create;
    private byte[]? _piece = ArrayPool<byte>.Shared.Rent(FirstBytes);
    private int _used;
    private long _length;

    /// <summary>Begins a file.</summary>
    /// <param name="append">Gets each piece.</param>
    /// <param name="create">Makes the file if it ends without any.</param>
    internal StreamOutput(ByteSink append, Action create)
    {
        _append = append;
        _create = create;
    }

    /// <inheritdoc/>
    public override long Length => _length;

    /// <inheritdoc/>
    [Obsolete("Lucene's own member is obsolete.")]
    public override void Seek(long pos) => throw new NotSupportedException("Files of Lucene are written at their end.");

    /// <inheritdoc/>
    protected override void FlushBuffer(byte[] b, int offset, int len)
    {
        ObjectDisposedException.ThrowIf(_piece is null, this);
        _length += len;
        ReadOnlySpan<byte> bytes = b.AsSpan(offset, len);
        while (!bytes.IsEmpty)
        {
            if (_used == _piece.Length)
            {
                Grow();
            }

            int count = Math.Min(bytes.Length, _piece.Length - _used);
            bytes[..count].CopyTo(_piece.AsSpan(_used));
            _used += count;
            bytes = bytes[count..];
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (_piece is null)
        {
            return;
        }

        try
        {
            base.Dispose(disposing);
            if (_length == 0)
            {
                _create();
            }
            else if (_used > 0)
            {
                _append(_piece.AsSpan(0, _used));
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(_piece);
            _piece = null;
        }
    }

    /// <summary>Doubles the piece until it is as long as a chunk of a stream; then writes it.</summary>
    private void Grow()
    {
        if (_piece!.Length * 2 > StreamStore.ChunkSizeBytesMax)
        {
            _append(_piece.AsSpan(0, _used));
            _used = 0;
            return;
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(_piece.Length * 2);
        _piece.AsSpan(0, _used).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_piece);
        _piece = larger;
    }
}
