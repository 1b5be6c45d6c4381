using System.IO.Compression;
using System.Security.Cryptography;
using ZstdSharp;

namespace Raven.Documents.Backups;

/// <summary>The streams that the bytes of a backup pass on their way to its file, and back.</summary>
internal static class BackupStreams
{
    private const int FastestLevel = 1;

    /// <summary>Compresses what is written to a stream. The target stays open.</summary>
    internal static async Task PackAsync(BackupCompression compression, Stream target, Func<Stream, Task> write)
    {
        Stream? packing = compression switch
        {
            BackupCompression.Zstd => new CompressionStream(target, FastestLevel, leaveOpen: true),
            BackupCompression.Deflate => new ZLibStream(target, CompressionLevel.Fastest, leaveOpen: true),
            _ => null,
        };
        await UseAsync(packing, packing ?? target, write).ConfigureAwait(false);
    }

    /// <summary>Reads a stream of what was compressed. The source stays open.</summary>
    internal static async Task UnpackAsync(BackupCompression compression, Stream source, Func<Stream, Task> read)
    {
        Stream? unpacking = compression switch
        {
            BackupCompression.Zstd => new DecompressionStream(source, leaveOpen: true),
            BackupCompression.Deflate => new ZLibStream(source, CompressionMode.Decompress, leaveOpen: true),
            _ => null,
        };
        await UseAsync(unpacking, unpacking ?? source, read).ConfigureAwait(false);
    }

    /// <summary>Encrypts what is written to a stream, if there is a key. The target stays open.</summary>
    internal static async Task SealAsync(IBackupCipher? cipher, Stream target, Func<Stream, Task> write)
    {
        Stream? sealing = cipher?.Encrypt(target);
        await UseAsync(sealing, sealing ?? target, write).ConfigureAwait(false);
    }

    private static async Task UseAsync(Stream? own, Stream stream, Func<Stream, Task> use)
    {
        try
        {
            await use(stream).ConfigureAwait(false);
        }
        finally
        {
            if (own is not null)
            {
                await own.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    /// <summary>Whether a stream could not be unpacked.</summary>
    internal static bool IsBroken(Exception e) => e is ZstdException or InvalidDataException or EndOfStreamException;

    /// <summary>Counts and hashes what is written to a stream, or read from it. It stays open.</summary>
    internal sealed class Hashed(Stream inner) : Stream
    {
        private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        private long _position;

        public override bool CanRead => inner.CanRead;

        public override bool CanSeek => false;

        public override bool CanWrite => inner.CanWrite;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => _position;
            set => throw new NotSupportedException();
        }

        /// <summary>The hash of all that was written or read, in hexadecimal digits; ends the stream.</summary>
        internal string End() => Convert.ToHexStringLower(_hash.GetHashAndReset());

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            inner.Write(buffer);
            Note(buffer);
        }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override async ValueTask WriteAsync(
            ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await inner.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
            Note(buffer.Span);
        }

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override int Read(Span<byte> buffer)
        {
            int read = inner.Read(buffer);
            Note(buffer[..read]);
            return read;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override async ValueTask<int> ReadAsync(
            Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            int read = await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
            Note(buffer.Span[..read]);
            return read;
        }

        public override Task<int> ReadAsync(
            byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override void Flush()
        {
        }

        public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            _hash.Dispose();
            base.Dispose(disposing);
        }

        private void Note(ReadOnlySpan<byte> bytes)
        {
            _hash.AppendData(bytes);
            _position += bytes.Length;
        }
    }
}
