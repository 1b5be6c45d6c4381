using Microsoft.Extensions.Logging;
using Raven.Documents.Indexing;

namespace Raven.Documents.Catalog;

/// <summary>The regular work for all databases, on threads of timers. Any thread.</summary>
internal sealed class CatalogMaintenance : IDisposable
{
    /// <summary>How many closed databases are opened in one search for what is due.</summary>
    private const int OpenedAtOnceMax = 2;

    private static readonly TimeSpan SweepInterval = TimeSpan.FromSeconds(1);

    private readonly IEnumerable<Database> _databases;
    private readonly TimeProvider _clock;
    private readonly ILogger _log;
    private readonly ITimer _idleTimer;
    private readonly ITimer _sweepTimer;

    /// <summary>Starts the timers.</summary>
    /// <param name="databases">Returns all databases; safe for all threads.</param>
    /// <param name="clock">The clock of the timers.</param>
    /// <param name="idleTimeMax">How long an unused database stays open.</param>
    /// <param name="log">Takes the failures.</param>
    internal CatalogMaintenance(IEnumerable<Database> databases, TimeProvider clock, TimeSpan idleTimeMax, ILogger log)
    {
        _databases = databases;
        _clock = clock;
        _log = log;
        _idleTimer = clock.CreateTimer(
            state => ((CatalogMaintenance)state!).CloseIdle(), this, idleTimeMax, idleTimeMax);
        _sweepTimer = clock.CreateTimer(
            state => ((CatalogMaintenance)state!).Sweep(), this, SweepInterval, SweepInterval);
    }

    /// <summary>Closes the databases that were not used since the last call.</summary>
    internal void CloseIdle()
    {
        foreach (Database database in _databases)
        {
            Try(database, static one => one.CloseIfIdle());
        }
    }

    /// <summary>
    /// Has open databases and their indexes give back memory that is kept for the data file or for the next batch.
    /// </summary>
    /// <param name="hasIndexes">Whether the databases were made with indexing.</param>
    internal void GiveIdleMemoryBack(bool hasIndexes)
    {
        foreach (Database database in _databases)
        {
            Try(database, one =>
            {
                if (one.TryEnter(out DatabaseStorage? storage))
                {
                    try
                    {
                        _ = storage.Environment.Flush();
                        if (hasIndexes)
                        {
                            one.Indexes.GiveIdleMemoryBack();
                        }
                    }
                    finally
                    {
                        storage.Release();
                    }
                }
            });
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _idleTimer.Dispose();
        _sweepTimer.Dispose();
    }

    /// <summary>Lets each open database look for documents that expire or are refreshed.</summary>
    private void Sweep()
    {
        DateTimeOffset now = _clock.GetUtcNow();
        int opened = 0;
        foreach (Database database in _databases)
        {
            if (opened < OpenedAtOnceMax && database.MustOpen(now))
            {
                opened++;
                _ = Task.Run(() => Try(database, static one => one.OpenForDue()));
            }

            _ = SweepAsync(database, now);
        }
    }

    private async Task SweepAsync(Database database, DateTimeOffset now)
    {
        try
        {
            await database.SweepAsync(now).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // As below: the result of the task is not observed.
        catch (Exception e)
#pragma warning restore CA1031
        {
            CatalogLog.MaintenanceFailed(_log, e, database.Name);
        }
    }

    /// <summary>An exception that left the thread of a timer would end the process.</summary>
    private void Try(Database database, Action<Database> work)
    {
        try
        {
            work(database);
        }
#pragma warning disable CA1031 // Whatever fails, the other databases go on, and the failure is logged.
        catch (Exception e)
#pragma warning restore CA1031
        {
            CatalogLog.MaintenanceFailed(_log, e, database.Name);
        }
    }
}
