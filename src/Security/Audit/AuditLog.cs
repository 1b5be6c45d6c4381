namespace Raven.Security.Audit;

/// <summary>
/// The log of who did what: JSON lines, each bound to the one before (see <see cref="AuditChain"/>). Safe for all
/// threads; writers take turns.
/// </summary>
public sealed class AuditLog : IDisposable
{
    private readonly Lock _lock = new();
    private readonly AuditOptions _options;
    private readonly byte[] _key;
    private readonly IAuditAnchor _anchor;
    private readonly TimeProvider _clock;
    private FileStream? _file;
    private AuditChain _chain;
    private long _firstNumber;
    private bool _isOwed;
    private bool _isDisposed;

    private AuditLog(AuditOptions options, byte[] key, IAuditAnchor anchor, TimeProvider clock)
    {
        _options = options;
        _key = key;
        _anchor = anchor;
        _clock = clock;
    }

    /// <summary>Where the chain stands.</summary>
    public AuditChain Chain
    {
        get
        {
            lock (_lock)
            {
                return _chain;
            }
        }
    }

    /// <summary>What is wrong with its files, although it is written; null if nothing is known.</summary>
    public string? Fault { get; private set; }

    /// <summary>Opens the log of a folder, or begins one there.</summary>
    /// <param name="options">Where it is.</param>
    /// <param name="key">The key of its chain, derived from the master key.</param>
    /// <param name="anchor">Where the end of the chain is kept besides.</param>
    /// <param name="clock">The clock of its lines.</param>
    /// <exception cref="IOException">It cannot be opened.</exception>
    public static AuditLog Open(AuditOptions options, byte[] key, IAuditAnchor anchor, TimeProvider clock)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(anchor);
        var log = new AuditLog(options, key, anchor, clock);
        log.Reopen();
        return log;
    }

    /// <summary>Writes a line, which is on the disk at the next <see cref="Flush"/>.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void Write(AuditEvent what) => Append(what, flushes: false);

    /// <summary>Writes a line that is on the disk when this returns, with the end of the chain.</summary>
    /// <exception cref="IOException">It cannot be written: what it says must not happen.</exception>
    public void WriteFlushed(AuditEvent what) => Append(what, flushes: true);

    /// <summary>Puts all lines on the disk, and keeps the end of the chain.</summary>
    /// <exception cref="IOException">It cannot be done.</exception>
    public void Flush()
    {
        lock (_lock)
        {
            if (_file != null && _isOwed)
            {
                _file.Flush(flushToDisk: true);
                _anchor.Keep(_chain);
                _isOwed = false;
            }
        }
    }

    /// <summary>Checks the log whole, while it is written to: see <see cref="AuditReader.Verify"/>.</summary>
    /// <returns>What is wrong, first place first; empty if nothing is.</returns>
    /// <exception cref="IOException">It cannot be read.</exception>
    public IReadOnlyList<string> Verify()
    {
        Flush();
        return AuditReader.Verify(_options.Folder, _key, _anchor);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_lock)
        {
            _isDisposed = true;
            try
            {
                Flush();
            }
            finally
            {
                _file?.Dispose();
                _file = null;
            }
        }
    }

    private void Append(AuditEvent what, bool flushes)
    {
        ArgumentNullException.ThrowIfNull(what);
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            FileStream file = OpenedFile();
            DateTimeOffset now = _clock.GetUtcNow();
            byte[] line = AuditLine.Write(what, _chain, now);
            AuditChain next = _chain.Behind(_key, line);
            long start = file.Position;
            bool isWritten = false;
            try
            {
                file.Write([.. line, (byte)'\n']);
                if (flushes)
                {
                    file.Flush(flushToDisk: true);
                    _anchor.Keep(next);
                }

                isWritten = true;
            }
            catch (Exception e) when (e is IOException or InvalidOperationException or UnauthorizedAccessException)
            {
                throw new IOException($"The audit log in '{_options.Folder}' cannot be written: {e.Message}", e);
            }
            finally
            {
                if (!isWritten)
                {
                    TakeBack(file, start);
                }
            }

            _chain = next;
            _isOwed = !flushes;
            if (file.Position >= _options.FileBytesMax)
            {
                BeginNextFile(now);
            }
        }
    }

    /// <summary>A line that was not written whole must not be the last one.</summary>
    private void TakeBack(FileStream file, long start)
    {
        try
        {
            file.SetLength(start);
            file.Position = start;
        }
        catch (IOException)
        {
            // The next line opens the file anew, which cuts what is not whole.
            file.Dispose();
            _file = null;
        }
    }

    /// <summary>Closes a file that is full. The line is written: if this fails, the next one tries again.</summary>
    private void BeginNextFile(DateTimeOffset now)
    {
        try
        {
            Flush();
            _file!.Dispose();
            _file = null;
            AuditFolder.Close(_options.Folder, _firstNumber, _chain.Number, _options.Compresses);
            Clean(now);
            Reopen();
            Fault = null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Fault = $"A full file cannot be closed: {e.Message}";
        }
    }

    /// <summary>Deletes files that need not be kept any more. Where the log begins then is kept first.</summary>
    private void Clean(DateTimeOffset now)
    {
        IReadOnlyList<FileInfo> spent = AuditFolder.Spent(_options, now);
        if (spent.Count > 0)
        {
            _anchor.KeepStart(AuditReader.FindEnd([spent[^1].FullName], _key).Chain);
            foreach (FileInfo file in spent)
            {
                file.Delete();
            }
        }
    }

    /// <summary>The file that is written to: another one if that was moved or deleted.</summary>
    private FileStream OpenedFile()
    {
        if (_file != null && !File.Exists(AuditFolder.PathOf(_options.Folder)))
        {
            _file.Dispose();
            _file = null;
        }

        return _file ?? Reopen();
    }

    /// <summary>Opens the file and finds where its chain ends.</summary>
    private FileStream Reopen()
    {
        FileStream? file = null;
        try
        {
            file = AuditFolder.Open(_options);
            var tail = AuditReader.FindEnd(AuditFolder.Files(_options.Folder), _key);
            if (tail.EndOfWholeLines < file.Length)
            {
                file.SetLength(tail.EndOfWholeLines);
            }

            file.Position = file.Length;
            AuditChain known = _chain.Number > 0 ? _chain : _anchor.Read() ?? AuditChain.Empty;
            bool isCut = tail.Chain.Number < known.Number
                || (tail.Chain.Number == known.Number && tail.Chain != known);
            if (isCut)
            {
                Fault = $"The log ends with line {tail.Chain.Number}, and the server had written {known.Number}.";
            }

            _chain = isCut ? known : tail.Chain;
            _firstNumber = tail.FirstNumber > 0 ? tail.FirstNumber : _chain.Number + 1;
            return _file = file;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            file?.Dispose();
            throw new IOException($"The audit log in '{_options.Folder}' cannot be opened: {e.Message}", e);
        }
    }
}
