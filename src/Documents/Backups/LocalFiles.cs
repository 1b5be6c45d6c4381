using Raven.Storage.Files;

namespace Raven.Documents.Backups;

/// <summary>The files of a folder of this machine. One that is being written is called "in progress", and gets its name
/// when it is synced.</summary>
/// <param name="open">Opens the folder, when it is needed first.</param>
internal sealed class LocalFiles(Func<IFileSystem> open) : IBackupFiles
{
    private const string InProgress = ".in-progress";

    private IFileSystem? _files;

    /// <inheritdoc/>
    public string Description => Files.Description;

    private IFileSystem Files => _files ??= open();

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<string>> ListAsync(CancellationToken cancellation) =>
        ValueTask.FromResult<IReadOnlyList<string>>(
            [.. Files.List().Where(name => !name.EndsWith(InProgress, StringComparison.Ordinal))]);

    /// <inheritdoc/>
    public ValueTask<long?> FindLengthAsync(string name, CancellationToken cancellation)
    {
        if (!Files.Exists(name))
        {
            return ValueTask.FromResult<long?>(null);
        }

        using IFile file = Files.Open(name, FileOpenMode.Existing);
        return ValueTask.FromResult<long?>(file.Length);
    }

    /// <inheritdoc/>
    public ValueTask<Stream> OpenAsync(string name, CancellationToken cancellation) =>
        Files.Exists(name)
            ? ValueTask.FromResult<Stream>(new Reader(Files.Open(name, FileOpenMode.Existing)))
            : throw new BackupException($"The file '{name}' is missing in '{Description}'.");

    /// <inheritdoc/>
    public ValueTask<BackupFileStream> CreateAsync(string name, long lengthExpected, CancellationToken cancellation)
    {
        IFile file = Files.Open(name + InProgress, FileOpenMode.Create);
        try
        {
            file.SetLength(0);
            return ValueTask.FromResult<BackupFileStream>(new Writer(Files, file, name));
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public ValueTask DeleteAsync(string name, CancellationToken cancellation)
    {
        Files.Delete(name);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask RemoveUnfinishedAsync(CancellationToken cancellation)
    {
        foreach (string name in Files.List().Where(name =>
            BackupFolder.IsOurs(name) && name.EndsWith(InProgress, StringComparison.Ordinal)))
        {
            Files.Delete(name);
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>Reads a file from its start to its end.</summary>
    private sealed class Reader(IFile file) : Stream
    {
        private long _position;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => file.Length;

        public override long Position
        {
            get => _position;
            set => throw new NotSupportedException();
        }

        public override int Read(Span<byte> buffer)
        {
            int read = file.ReadAt(_position, buffer);
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

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            file.Dispose();
            base.Dispose(disposing);
        }
    }

    /// <summary>Writes a file in pieces.</summary>
    private sealed class Writer(IFileSystem files, IFile file, string name) : BackupFileStream
    {
        private const int PieceBytes = 1 << 20;

        private readonly byte[] _piece = new byte[PieceBytes];
        private int _collected;
        private long _position;
        private bool _isComplete;
        private bool _isClosed;

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

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Write(buffer.Span);
            return ValueTask.CompletedTask;
        }

        public override ValueTask CompleteAsync(CancellationToken cancellation)
        {
            cancellation.ThrowIfCancellationRequested();
            WriteCollected();
            file.Sync();
            CloseFile();
            files.Rename(name + InProgress, name);
            files.SyncDirectory();
            _isComplete = true;
            return ValueTask.CompletedTask;
        }

        protected override void Dispose(bool disposing)
        {
            if (disposing && !_isClosed)
            {
                CloseFile();
            }

            if (disposing && !_isComplete)
            {
                _isComplete = true;
                try
                {
                    files.Delete(name + InProgress);
                }
                catch (Exception e) when (LoadFailures.IsKnown(e))
                {
                    // The failure before is the one to report, and the next run removes it.
                }
            }

            base.Dispose(disposing);
        }

        private void CloseFile()
        {
            _isClosed = true;
            file.Dispose();
        }

        private void WriteCollected()
        {
            if (_collected > 0)
            {
                file.WriteAt(_position, _piece.AsSpan(0, _collected));
                file.BeginWriteBack(_position, _collected);
                _position += _collected;
                _collected = 0;
            }
        }
    }
}
