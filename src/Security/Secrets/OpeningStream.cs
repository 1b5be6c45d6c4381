using System.Security.Cryptography;

namespace Raven.Security.Secrets;

/// <summary>
/// Decrypts what a <see cref="SealingStream"/> has written. Not one byte of a chunk that is not whole is given out. The
/// source stays open. One thread at a time.
/// </summary>
public sealed class OpeningStream : Stream
{
    private readonly Stream _source;
    private readonly byte[] _key;
    private readonly byte[] _cipher = new byte[SealedFormat.SealedChunkBytes + 1];
    private readonly byte[] _plain = new byte[SealedFormat.ChunkBytes];
    private int _carried;
    private int _start;
    private int _end;
    private long _number;
    private bool _isEnded;

    /// <summary>Begins, and reads the head.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="key">32 bytes.</param>
    /// <exception cref="MasterKeyException">It is no sealed stream, or one of another key.</exception>
    public OpeningStream(Stream source, byte[] key)
        : this(source, key, ReadHead(source))
    {
    }

    private OpeningStream(Stream source, byte[] key, ReadOnlySpan<byte> head)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(key);
        _source = source;
        if (head.Length < SealedFormat.HeadBytes || !head.StartsWith(SealedFormat.Magic))
        {
            throw new MasterKeyException("It does not begin as a file that this server encrypts.");
        }

        byte[] check = SealedFormat.CheckOf(key);
        if (!CryptographicOperations.FixedTimeEquals(head.Slice(SealedFormat.Magic.Length, check.Length), check))
        {
            throw new MasterKeyException("It is encrypted by another key.");
        }

        _key = SealedFormat.KeyOf(key, head[^SealedFormat.SaltBytes..].ToArray());
    }

    /// <summary>Begins, and reads the head.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="key">32 bytes.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="MasterKeyException">It is no sealed stream, or one of another key.</exception>
    public static async Task<OpeningStream> BeginAsync(Stream source, byte[] key, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(source);
        byte[] head = new byte[SealedFormat.HeadBytes];
        int read = await source.ReadAtLeastAsync(head, head.Length, throwOnEndOfStream: false, cancellation)
            .ConfigureAwait(false);
        return new OpeningStream(source, key, head.AsSpan(0, read));
    }

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    /// <exception cref="MasterKeyException">A chunk is not as it was sealed.</exception>
    public override int Read(Span<byte> buffer)
    {
        while (_start == _end && !_isEnded)
        {
            OpenChunk(_source.ReadAtLeast(
                _cipher.AsSpan(_carried), _cipher.Length - _carried, throwOnEndOfStream: false));
        }

        return Take(buffer);
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    /// <exception cref="MasterKeyException">A chunk is not as it was sealed.</exception>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (_start == _end && !_isEnded)
        {
            OpenChunk(await _source.ReadAtLeastAsync(
                _cipher.AsMemory(_carried), _cipher.Length - _carried, throwOnEndOfStream: false, cancellationToken)
                .ConfigureAwait(false));
        }

        return Take(buffer.Span);
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        CryptographicOperations.ZeroMemory(_key);
        CryptographicOperations.ZeroMemory(_plain);
        base.Dispose(disposing);
    }

    private static ReadOnlySpan<byte> ReadHead(Stream source)
    {
        ArgumentNullException.ThrowIfNull(source);
        byte[] head = new byte[SealedFormat.HeadBytes];
        return head.AsSpan(0, source.ReadAtLeast(head, head.Length, throwOnEndOfStream: false));
    }

    private int Take(Span<byte> buffer)
    {
        int count = Math.Min(buffer.Length, _end - _start);
        _plain.AsSpan(_start, count).CopyTo(buffer);
        _start += count;
        return count;
    }

    /// <summary>Opens the next chunk, behind what was carried over. One byte more than it has was asked for: without
    /// it, the chunk is the last one.</summary>
    private void OpenChunk(int read)
    {
        int length = _carried + read;
        bool isLast = length <= SealedFormat.SealedChunkBytes;
        int count = Math.Min(length, SealedFormat.SealedChunkBytes);
        _start = 0;
        _end = count - XAes256Gcm.TagBytes;
        if (_end < 0 || !SealedFormat.TryOpen(
            _key, _number, isLast, _cipher.AsSpan(0, count), _plain.AsSpan(0, _end)))
        {
            _end = 0;
            throw new MasterKeyException($"Chunk {_number} is not as it was encrypted, or something is missing.");
        }

        _number++;
        _isEnded = isLast;
        _carried = length - count;
        _cipher[0] = _cipher[^1];
    }
}
