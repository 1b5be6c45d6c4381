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
    /// <param name="encoding">The encoding that the part names.</param>
    /// <param name="ratioMax">The largest ratio of inflated to compressed bytes.</param>
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

    /// <summary>The bytes of the part.</summary>
    private sealed class CompressedStream(IBodyBytes source) : CountedStream
    {
        private protected override async ValueTask<int> ReadBytesAsync(
            Memory<byte> buffer, CancellationToken cancellation)
        {
            if (source.Current.IsEmpty && !await source.ReadAsync(cancellation).ConfigureAwait(false))
            {
                return 0;
            }

            int length = Math.Min(source.Current.Length, buffer.Length);
            source.Current[..length].CopyTo(buffer.Span);
            source.Consume(length);
            return length;
        }
    }
}
