using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Raven.Server.Documents.Changes;
using Raven.Server.Documents.Commands;
using Raven.Server.Documents.Settings;
using Raven.Server.Documents.Sweeps;

namespace Raven.Server.Documents;

//   DB-1  The environment is open while _holds >= 0. Whoever uses it holds it: each snapshot, each command under way.
//   DB-2  Closing takes _holds from 0 to far below it in one step, so it never meets a holder; a later user finds the
//         number negative, takes the lock and opens again.
//   DB-3  A deleted database is closed by whoever lets go last, and is never opened again.

/// <summary>
/// One database: snapshots to read from, a queue of commands that change it. Opened on first use, closed when nobody
/// has used it for a while, opened again by the next use: a reference to it stays good until it is deleted. Any thread.
/// </summary>
public sealed class Database : IDisposable
{
    private const int Closed = int.MinValue / 2;

    private readonly Lock _gate = new();
    private readonly DatabaseOptions _options;
    private DatabaseStorage? _storage;
    private int _holds = Closed;
    private bool _isUsed;
    private Action? _whenClosed;
    private volatile bool _isDeleted;

    /// <summary>Makes a database that is opened by its first use.</summary>
    public Database(DatabaseOptions options)
    {
        _options = options;
        Hub = new ChangesHub(Changes);
        Sweeper = new DatabaseSweeper(this);
    }

    /// <summary>Its name as it was created.</summary>
    public string Name => _options.Name;

    /// <summary>Its id, part of its change vectors. Opens it.</summary>
    public DatabaseId Id
    {
        get
        {
            if (field is null)
            {
                field = Hold().Id;
                Release();
            }

            return field;
        }
    }

    /// <summary>Who is told of its changes.</summary>
    public DocumentChanges Changes { get; } = new();

    /// <summary>Who watches what of it.</summary>
    internal ChangesHub Hub { get; }

    /// <summary>Expires and refreshes its documents.</summary>
    internal DatabaseSweeper Sweeper { get; }

    /// <summary>Why it takes no writes any more, or null. A database that is not open is healthy.</summary>
    public string? Fault => Volatile.Read(ref _storage)?.Environment.Fault?.Message;

    /// <summary>True while its environment is open.</summary>
    public bool IsOpen => Volatile.Read(ref _holds) >= 0;

    /// <summary>Begins a snapshot of the last commit. Dispose it soon.</summary>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public DocumentSnapshot BeginRead()
    {
        DatabaseStorage storage = Hold();
        try
        {
            return storage.BeginRead();
        }
        catch
        {
            Release();
            throw;
        }
    }

    /// <summary>
    /// Does a command in a transaction that it may share with others. Completes when the change is durable, or when the
    /// command was refused: then its <see cref="DocumentCommand.Failure"/> says why.
    /// </summary>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SubmitAsync(DocumentCommand command)
    {
        DatabaseStorage storage = Hold();
        try
        {
            command.BindTo(storage.Writer);
            await storage.Merger.Enqueue(command).ConfigureAwait(false);
        }
        catch (CommandRefusedException e)
        {
            command.Refuse(e.Failure);
        }
        finally
        {
            Release();
        }
    }

    /// <summary>Tells the database what to do by itself; in effect when this returns.</summary>
    /// <param name="name">One of the names of <see cref="SettingsStore"/>.</param>
    /// <param name="json">The setting.</param>
    /// <exception cref="FormatException">It is not what it must be; nothing has changed.</exception>
    internal async ValueTask ConfigureAsync(string name, byte[] json)
    {
        SettingsStore.With(DatabaseSettings.None, name, json);
        await SubmitAsync(new SettingsCommand(name, json)).ConfigureAwait(false);
        DatabaseStorage storage = Hold();
        try
        {
            storage.LoadSettings();
        }
        finally
        {
            Release();
        }
    }

    /// <summary>Begins a snapshot where it is open, without taking that for a use that keeps it open.</summary>
    internal bool TryBeginReadIfOpen([NotNullWhen(true)] out DocumentSnapshot? snapshot)
    {
        snapshot = null;
        try
        {
            if (Interlocked.Increment(ref _holds) > 0 && !_isDeleted)
            {
                snapshot = _storage!.BeginRead();
            }
        }
        finally
        {
            // The snapshot holds it; where there is none, nobody does.
            if (snapshot is null)
            {
                Release();
            }
        }

        return snapshot is not null;
    }

    /// <summary>Looks for documents that expire or are refreshed, where it is open and it is time for that.</summary>
    internal Task SweepAsync(DateTimeOffset now) =>
        Volatile.Read(ref _storage)?.Writer.Settings is { } settings
            ? Sweeper.RingAsync(settings, now.UtcTicks)
            : Task.CompletedTask;

    /// <summary>The counts of a snapshot.</summary>
    public DatabaseStatistics GetStatistics(DocumentSnapshot snapshot)
    {
        DocumentCursor last = snapshot.DocumentsByEtagDescending();
        return new DatabaseStatistics
        {
            DocumentCount = snapshot.DocumentCount,
            TombstoneCount = snapshot.TombstoneCount,
            IdentityCount = snapshot.IdentityCount,
            CollectionCount = snapshot.CollectionCount,
            LastDocumentEtag = last.MoveNext(out StoredDocument document) ? document.Etag : 0,
            LastEtag = snapshot.LastEtag,
            SizeOnDiskBytes = snapshot.Transaction.Environment.GetStatistics().SizeOnDiskBytes,
        };
    }

    /// <summary>Closes it, where nobody holds it; it opens again when it is used again.</summary>
    /// <returns>False where somebody holds it.</returns>
    public bool TryClose()
    {
        lock (_gate)
        {
            if (Interlocked.CompareExchange(ref _holds, Closed, 0) != 0)
            {
                return Volatile.Read(ref _holds) < 0;
            }

            _storage!.Dispose();
            _storage = null;
            return true;
        }
    }

    /// <summary>Closes it where it was not used since the last time that this was asked.</summary>
    internal void CloseIfIdle()
    {
        if (Volatile.Read(ref _isUsed))
        {
            Volatile.Write(ref _isUsed, false);
        }
        else if (IsOpen)
        {
            TryClose();
        }
    }

    /// <summary>Lets nobody in any more, and closes it now or when the last one is out.</summary>
    /// <param name="whenClosed">Called once, after it is closed.</param>
    internal void Delete(Action whenClosed)
    {
        lock (_gate)
        {
            _whenClosed = whenClosed;
            _isDeleted = true;
        }

        Changes.TellDeleted();
        CloseDeleted();
    }

    /// <summary>Closes it for good. Whoever still holds it loses it: first stop those who use it.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDeleted = true;
            Interlocked.Exchange(ref _holds, Closed);
            _storage?.Dispose();
            _storage = null;
        }
    }

    private DatabaseStorage Hold()
    {
        if (!Volatile.Read(ref _isUsed))
        {
            Volatile.Write(ref _isUsed, true);
        }

        if (Interlocked.Increment(ref _holds) > 0 && !_isDeleted)
        {
            return _storage!;
        }

        return OpenAndHold();
    }

    /// <summary>The caller has added itself to the holders already.</summary>
    private DatabaseStorage OpenAndHold()
    {
        lock (_gate)
        {
            if (!_isDeleted)
            {
                if (Volatile.Read(ref _holds) > 0)
                {
                    return _storage!;
                }

                try
                {
                    _storage = DatabaseStorage.Open(_options, Changes, Release);
                    Interlocked.Add(ref _holds, -Closed);
                    return _storage;
                }
                catch
                {
                    Interlocked.Decrement(ref _holds);
                    throw;
                }
            }
        }

        Release();
        throw new DatabaseDeletedException(Name);
    }

    private void Release()
    {
        if (Interlocked.Decrement(ref _holds) == 0 && _isDeleted)
        {
            CloseDeleted();
        }
    }

    private void CloseDeleted()
    {
        Debug.Assert(_isDeleted);
        if (!TryClose())
        {
            return;
        }

        Interlocked.Exchange(ref _whenClosed, null)?.Invoke();
    }
}
