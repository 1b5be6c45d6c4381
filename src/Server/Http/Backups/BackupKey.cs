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
    public async ValueTask<Stream> DecryptAsync(Stream source, CancellationToken cancellation)
    {
        try
        {
            return new Opened(await OpeningStream.BeginAsync(source, key, cancellation).ConfigureAwait(false));
        }
        catch (MasterKeyException e)
        {
            throw new BackupException(e.Message, e);
        }
    }

    /// <summary>The same for what is in memory.</summary>
    /// <exception cref="BackupException">It is not encrypted by this key.</exception>
    internal Stream Decrypt(MemoryStream source)
    {
        try
        {
            return new Opened(new OpeningStream(source, key));
        }
        catch (MasterKeyException e)
        {
            throw new BackupException(e.Message, e);
        }
    }

    /// <summary>Says what is wrong with a file in the words of backups.</summary>
    private sealed class Opened(OpeningStream inner) : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => inner.Length;

        public override long Position
        {
            get => inner.Position;
            set => inner.Position = value;
        }

        public override int Read(Span<byte> buffer)
        {
            try
            {
                return inner.Read(buffer);
            }
            catch (MasterKeyException e)
            {
                throw new BackupException(e.Message, e);
            }
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override async ValueTask<int> ReadAsync(
            Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            try
            {
                return await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
            }
            catch (MasterKeyException e)
            {
                throw new BackupException(e.Message, e);
            }
        }

        public override Task<int> ReadAsync(
            byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => inner.Seek(offset, origin);

        public override void SetLength(long value) => inner.SetLength(value);

        public override void Write(byte[] buffer, int offset, int count) => inner.Write(buffer, offset, count);

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                inner.Dispose();
            }

            base.Dispose(disposing);
        }
    }
}
