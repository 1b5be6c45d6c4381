using System.IO.Compression;
using System.Security.Cryptography;
using Raven.Storage.Files;
using ZstdSharp;

namespace Raven.Documents.Backups;

/// <summary>The streams that the bytes of a backup pass on their way to its file, and back.</summary>
internal static class BackupStreams
{
    private const int FastestLevel = 1;

    internal static Stream Pack(BackupCompression compression, Stream target) =>
        compression == BackupCompression.Zstd
            ? new CompressionStream(target, FastestLevel, leaveOpen: true)
            : new ZLibStream(target, CompressionLevel.Fastest, leaveOpen: true);

    internal static Stream Unpack(BackupCompression compression, Stream source) =>
        compression == BackupCompression.Zstd
            ? new DecompressionStream(source, leaveOpen: true)
            : new ZLibStream(source, CompressionMode.Decompress, leaveOpen: true);

    /// <summary>Whether a stream could not be unpacked.</summary>
    internal static bool IsBroken(Exception e) => e is ZstdException or InvalidDataException or EndOfStreamException;

    /// <summary>A file as a stream that is written, or read, from start to end, and hashed on the way.</summary>
    internal sealed class FileStream(IFile file, bool isWritten) : Stream
    {
        private const int PieceBytes = 1 << 20;

        private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        private readonly byte[] _piece = new byte[isWritten ? PieceBytes : 0];
        private int _collected;
        private long _position;

        public override bool CanRead => !isWritten;

        public override bool CanSeek => false;

        public override bool CanWrite => isWritten;

        public override long Length => file.Length;

        public override long Position
        {
            get => _position + _collected;
            set => throw new NotSupportedException();
        }

        /// <summary>The hash of all that was written or read, in hexadecimal digits; ends the stream.</summary>
        internal string End()
        {
            WriteCollected();
            return Convert.ToHexStringLower(_hash.GetHashAndReset());
        }

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            while (buffer.Length > 0)
            {
                int count = Math.Min(buffer.Length, PieceBytes - _collected);
                buffer[..count].CopyTo(_piece.AsSpan(_collected));
                _collected += count;
                buffer = buffer[count..];
                if (_collected == PieceBytes)
                {
                    WriteCollected();
                }
            }
        }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Write(buffer.Span);
            return ValueTask.CompletedTask;
        }

        public override int Read(Span<byte> buffer)
        {
            int read = file.ReadAt(_position, buffer);
            _hash.AppendData(buffer[..read]);
            _position += read;
            return read;
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

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            _hash.Dispose();
            base.Dispose(disposing);
        }

        private void WriteCollected()
        {
            if (_collected > 0)
            {
                file.WriteAt(_position, _piece.AsSpan(0, _collected));
                file.BeginWriteBack(_position, _collected);
                _hash.AppendData(_piece, 0, _collected);
                _position += _collected;
                _collected = 0;
            }
        }
    }
}
