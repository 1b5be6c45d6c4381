using Raven.Documents.Backups;
using Raven.Security.Secrets;

namespace Raven.Server.Http.Backups;

/// <summary>Encrypts backups by a key that a client has given.</summary>
internal sealed class BackupKey(byte[] key) : IBackupCipher
{
    /// <inheritdoc/>
    public string KeyCheck { get; } = SealingStream.CheckOf(key);

    /// <summary>Reads a key.</summary>
    /// <exception cref="BadRequestException">It is none.</exception>
    internal static BackupKey Parse(string text)
    {
        byte[] bytes = new byte[XAes256Gcm.KeyBytes + 1];
        return Convert.TryFromBase64String(text, bytes, out int length) && length == XAes256Gcm.KeyBytes
            ? new BackupKey(bytes[..length])
            : throw new BadRequestException(
                400, ErrorType.Argument, $"The key of a backup is base64 of {XAes256Gcm.KeyBytes} bytes.");
    }

    /// <inheritdoc/>
    public Stream Encrypt(Stream target) => new SealingStream(target, key);

    /// <inheritdoc/>
    public Stream Decrypt(Stream source) => new Opened(source, key);

    /// <summary>Says what is wrong with a file in the words of backups.</summary>
    private sealed class Opened(Stream source, byte[] key) : Stream
    {
        private readonly OpeningStream _inner = Guard(() => new OpeningStream(source, key));

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => _inner.Length;

        public override long Position
        {
            get => _inner.Position;
            set => _inner.Position = value;
        }

        public override int Read(Span<byte> buffer)
        {
            try
            {
                return _inner.Read(buffer);
            }
            catch (MasterKeyException e)
            {
                throw new BackupException(e.Message, e);
            }
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return ValueTask.FromResult(Read(buffer.Span));
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => _inner.Seek(offset, origin);

        public override void SetLength(long value) => _inner.SetLength(value);

        public override void Write(byte[] buffer, int offset, int count) => _inner.Write(buffer, offset, count);

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                _inner.Dispose();
            }

            base.Dispose(disposing);
        }

        private static OpeningStream Guard(Func<OpeningStream> open)
        {
            try
            {
                return open();
            }
            catch (MasterKeyException e)
            {
                throw new BackupException(e.Message, e);
            }
        }
    }
}
