using System.Security.Cryptography;

namespace Raven.Security.Secrets;

/// <summary>
/// Encrypts what is written to it, chunk by chunk (<see cref="SealedFormat"/>). Its disposal writes the last chunk:
/// what was not ended so does not open. The target stays open. One thread at a time.
/// </summary>
public sealed class SealingStream : Stream
{
    private readonly Stream _target;
    private readonly byte[] _key;
    private readonly byte[] _plain = new byte[SealedFormat.ChunkBytes];
    private readonly byte[] _cipher = new byte[SealedFormat.SealedChunkBytes];
    private int _count;
    private long _number;
    private bool _isEnded;

    /// <summary>Begins, and writes the head.</summary>
    /// <param name="target">Takes the bytes.</param>
    /// <param name="key">32 bytes.</param>
    public SealingStream(Stream target, byte[] key)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(key);
        _target = target;
        byte[] salt = RandomNumberGenerator.GetBytes(SealedFormat.SaltBytes);
        _key = SealedFormat.KeyOf(key, salt);
        target.Write(SealedFormat.Magic);
        target.Write(SealedFormat.CheckOf(key));
        target.Write(salt);
    }

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

    /// <summary>What tells a key from others, without giving it away: as it is in the head, in hexadecimal digits.
    /// </summary>
    public static string CheckOf(byte[] key) => Convert.ToHexStringLower(SealedFormat.CheckOf(key));

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (buffer.Length > 0)
        {
            if (_count == _plain.Length)
            {
                _target.Write(_cipher.AsSpan(0, Seal(isLast: false)));
            }

            int count = Math.Min(buffer.Length, _plain.Length - _count);
            buffer[..count].CopyTo(_plain.AsSpan(_count));
            _count += count;
            buffer = buffer[count..];
        }
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (buffer.Length > 0)
        {
            if (_count == _plain.Length)
            {
                await _target.WriteAsync(_cipher.AsMemory(0, Seal(isLast: false)), cancellationToken)
                    .ConfigureAwait(false);
            }

            int count = Math.Min(buffer.Length, _plain.Length - _count);
            buffer.Span[..count].CopyTo(_plain.AsSpan(_count));
            _count += count;
            buffer = buffer[count..];
        }
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

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
    public override async ValueTask DisposeAsync()
    {
        if (!_isEnded)
        {
            _isEnded = true;
            await _target.WriteAsync(_cipher.AsMemory(0, Seal(isLast: true))).ConfigureAwait(false);
            Forget();
        }

        await base.DisposeAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && !_isEnded)
        {
            _isEnded = true;
            _target.Write(_cipher.AsSpan(0, Seal(isLast: true)));
            Forget();
        }

        base.Dispose(disposing);
    }

    /// <summary>Seals what was collected.</summary>
    /// <returns>How many bytes that makes.</returns>
    private int Seal(bool isLast)
    {
        Span<byte> cipher = _cipher.AsSpan(0, _count + XAes256Gcm.TagBytes);
        SealedFormat.Seal(_key, _number++, isLast, _plain.AsSpan(0, _count), cipher);
        _count = 0;
        return cipher.Length;
    }

    private void Forget()
    {
        CryptographicOperations.ZeroMemory(_key);
        CryptographicOperations.ZeroMemory(_plain);
    }
}
