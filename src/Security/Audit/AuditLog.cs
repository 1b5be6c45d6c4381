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

    /// <summary>Writes a line, which is on the disk within seconds: for what does not change rights.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void Write(AuditEvent what) => Append(what, flushes: false);

    /// <summary>Writes a line that is on the disk when this returns, with the end of the chain.</summary>
    /// <exception cref="IOException">It cannot be written: what it says must not happen.</exception>
    public void WriteFlushed(AuditEvent what) => Append(what, flushes: true);

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_lock)
        {
            if (_file != null)
            {
                _file.Flush(flushToDisk: true);
                _anchor.Keep(_chain);
                _file.Dispose();
                _file = null;
            }
        }
    }

    private void Append(AuditEvent what, bool flushes)
    {
        ArgumentNullException.ThrowIfNull(what);
        lock (_lock)
        {
            FileStream file = _file ?? Reopen();
            DateTimeOffset now = _clock.GetUtcNow();
            byte[] line = AuditLine.Write(what, _chain, now);
            AuditChain next = _chain.Behind(_key, line);
            long start = file.Position;
            try
            {
                file.Write([.. line, (byte)'\n']);
                if (flushes)
                {
                    file.Flush(flushToDisk: true);
                    _anchor.Keep(next);
                }
            }
            catch (Exception e) when (e is IOException or InvalidOperationException)
            {
                TakeBack(file, start);
                throw new IOException($"The audit log in '{_options.Folder}' cannot be written: {e.Message}", e);
            }

            _chain = next;
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

    private void BeginNextFile(DateTimeOffset now)
    {
        _file!.Flush(flushToDisk: true);
        _anchor.Keep(_chain);
        _file.Dispose();
        _file = null;
        AuditFolder.Close(_options.Folder, _firstNumber, _chain.Number, _options.Compresses);
        AuditFolder.Clean(_options, now);
        Reopen();
    }

    /// <summary>Opens the file and finds where its chain ends.</summary>
    private FileStream Reopen()
    {
        try
        {
            FileStream file = AuditFolder.Open(_options.Folder);
            var tail = AuditReader.FindEnd(AuditFolder.Files(_options.Folder), _key);
            if (tail.EndOfWholeLines < file.Length)
            {
                file.SetLength(tail.EndOfWholeLines);
            }

            file.Position = file.Length;
            _chain = tail.Chain;
            _firstNumber = tail.FirstNumber;
            return _file = file;
        }
        catch (UnauthorizedAccessException e)
        {
            throw new IOException($"The audit log in '{_options.Folder}' cannot be opened: {e.Message}", e);
        }
    }
}
