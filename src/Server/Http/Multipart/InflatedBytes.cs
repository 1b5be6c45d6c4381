using System.Buffers;

namespace Raven.Server.Http.Multipart;

/// <summary>
/// The bytes of a part that is compressed by itself, inflated as they are read. Dispose it to give the buffer back.
/// </summary>
internal sealed class InflatedBytes : IBodyBytes, IDisposable
{
    private const int BufferSizeBytes = 16 * 1024;

    private readonly CompressedStream _compressed;
    private readonly Stream _inflater;
    private readonly int _ratioMax;
    private byte[] _buffer;
    private ReadOnlyMemory<byte> _current;
    private long _inflatedBytes;

    /// <param name="source">The compressed bytes.</param>
    /// <param name="encoding">What the part says of them.</param>
    /// <param name="ratioMax">How many times as many they may become.</param>
    /// <exception cref="BadRequestException">415: the encoding is not known.</exception>
    internal InflatedBytes(IBodyBytes source, string encoding, int ratioMax)
    {
        _compressed = new CompressedStream(source);
        _inflater = BodySource.Inflater(encoding, _compressed);
        _ratioMax = ratioMax;
        _buffer = ArrayPool<byte>.Shared.Rent(BufferSizeBytes);
    }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Current => _current.Span;

    /// <inheritdoc/>
    public long Position { get; private set; }

    /// <inheritdoc/>
    public async ValueTask<bool> ReadAsync(CancellationToken cancellation)
    {
        int length;
        try
        {
            length = await _inflater.ReadAsync(_buffer, cancellation).ConfigureAwait(false);
        }
        catch (Exception e) when (BodySource.IsBroken(e, _inflater))
        {
            throw new BadRequestException(
                400, ErrorType.InvalidJson, $"A compressed part is broken after {_inflatedBytes} inflated bytes.");
        }

        _inflatedBytes += length;
        BodySource.CheckRatio(_inflatedBytes, _compressed.BytesRead, _ratioMax);
        _current = _buffer.AsMemory(0, length);
        return length > 0;
    }

    /// <inheritdoc/>
    public void Consume(int count)
    {
        _current = _current[count..];
        Position += count;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _inflater.Dispose();
        _current = default;
        if (_buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
        }
    }

    /// <summary>The bytes of the part for who inflates them. Disposing it does nothing.</summary>
    private sealed class CompressedStream(IBodyBytes source) : Stream
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

        public override async ValueTask<int> ReadAsync(
            Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (source.Current.IsEmpty && !await source.ReadAsync(cancellationToken).ConfigureAwait(false))
            {
                return 0;
            }

            int length = Math.Min(source.Current.Length, buffer.Length);
            source.Current[..length].CopyTo(buffer.Span);
            source.Consume(length);
            BytesRead += length;
            return length;
        }

        public override Task<int> ReadAsync(
            byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
