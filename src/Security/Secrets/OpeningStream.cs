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
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(key);
        _source = source;
        byte[] head = new byte[SealedFormat.HeadBytes];
        if (source.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) < head.Length
            || !head.AsSpan().StartsWith(SealedFormat.Magic))
        {
            throw new MasterKeyException("It does not begin as a file that this server encrypts.");
        }

        byte[] check = SealedFormat.CheckOf(key);
        if (!CryptographicOperations.FixedTimeEquals(head.AsSpan(SealedFormat.Magic.Length, check.Length), check))
        {
            throw new MasterKeyException("It is encrypted by another key.");
        }

        _key = SealedFormat.KeyOf(key, head[^SealedFormat.SaltBytes..]);
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
            OpenChunk();
        }

        int count = Math.Min(buffer.Length, _end - _start);
        _plain.AsSpan(_start, count).CopyTo(buffer);
        _start += count;
        return count;
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return ValueTask.FromResult(Read(buffer.Span));
    }

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

    /// <summary>Opens the next chunk. One byte more is read: without it, the chunk is the last one.</summary>
    private void OpenChunk()
    {
        int length = _carried + _source.ReadAtLeast(
            _cipher.AsSpan(_carried), _cipher.Length - _carried, throwOnEndOfStream: false);
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
