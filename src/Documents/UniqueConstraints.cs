using Raven.Documents.Commands;
using Raven.Documents.Settings;

namespace Raven.Documents;

/// <summary>
/// The unique constraints of one database: works on those that are new or gone, in the background and in short
/// transactions, and says how far they are. Called from outside, without a timer of its own. Any thread.
/// </summary>
#pragma warning disable CA1001 // Without a wait handle the semaphore holds nothing to give back.
public sealed class UniqueConstraints
#pragma warning restore CA1001
{
    /// <summary>How many documents are named that share one value.</summary>
    public const int HoldersMax = 10;

    private static readonly TimeSpan WaitMax = TimeSpan.FromSeconds(5);

    private readonly Database _database;
    private readonly TimeProvider _clock;
    private readonly SemaphoreSlim _turn = new(1, 1);
    private int _isRunning;
    private volatile bool _isPending = true;

    internal UniqueConstraints(Database database, TimeProvider clock)
    {
        _database = database;
        _clock = clock;
    }

    /// <summary>Goes on with what is left to do, in the background, if there is something.</summary>
    internal Task RingAsync(DatabaseSettings settings)
    {
        if ((!_isPending && settings.Unique is not { HasUnsettled: true })
            || Interlocked.Exchange(ref _isRunning, 1) != 0)
        {
            return Task.CompletedTask;
        }

        return Task.Run(async () =>
        {
            try
            {
                await WorkAsync().ConfigureAwait(false);
            }
            catch (Exception e) when (LoadFailures.IsKnown(e) || e is ObjectDisposedException)
            {
                // The database takes no writes now, and each request gets the error; the next call tries again.
            }
            finally
            {
                Volatile.Write(ref _isRunning, 0);
            }
        });
    }

    /// <summary>Looks for work at the next call: another node may have left some.</summary>
    internal void BeginAgain() => _isPending = true;

    /// <summary>The constraints have changed: begins to work on them, and waits a few seconds for that. With few
    /// documents they are in effect then; with many the work goes on in the background.</summary>
    internal async ValueTask ChangedAsync()
    {
        _isPending = true;
        Task work = Task.Run(WorkAsync);
        try
        {
            await work.WaitAsync(WaitMax, _clock).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // It goes on; if it fails, the next call of RingAsync takes it up.
            _ = work.ContinueWith(
                one => one.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted,
                TaskScheduler.Default);
        }
    }

    /// <summary>How far the constraints are, in the order of the configuration.</summary>
    /// <param name="snapshot">What is read.</param>
    /// <param name="sharedMax">How many values of each constraint are named that documents share.</param>
    /// <param name="cancellation">Ends the search for them.</param>
    public static IReadOnlyList<UniqueConstraintState> Read(
        DocumentSnapshot snapshot, int sharedMax, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        List<UniqueConstraintState> states = [];
        if (SettingsStore.Read(snapshot.Transaction, SettingsStore.UniqueConstraints) is not { } configuration
            || UniqueStates.Load(snapshot.Transaction, configuration) is not { } rules)
        {
            return states;
        }

        foreach (UniqueConstraint one in rules.All)
        {
            UniqueState state = UniqueStates.Read(snapshot.Transaction, one.Number)!;
            states.Add(new UniqueConstraintState
            {
                Collection = one.Collection,
                Name = one.Name,
                Fields = one.Fields,
                IgnoresCase = one.IgnoresCase,
                Stage = state.Stage,
                Excess = state.Stage == UniqueStage.Active ? 0 : state.Excess,
                BuiltEtag = state.BuiltEtag,
                StopEtag = state.StopEtag,
                Shared = state.Stage == UniqueStage.Violated
                    ? UniqueReport.Find(snapshot, one, sharedMax, cancellation)
                    : [],
            });
        }

        return states;
    }

    private async Task WorkAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            _isPending = false;
            int last = 0;
            while (Next() is { } number && number != last)
            {
                last = number;
                var command = new UniqueBuildCommand(number);
                do
                {
                    await _database.SubmitAsync(command).ConfigureAwait(false);
                }
                while (command.IsMore);
            }

            Settle();
        }
        catch
        {
            _isPending = true;
            throw;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>The number of a constraint that needs work; null if none does.</summary>
    private int? Next()
    {
        using DocumentSnapshot snapshot = _database.BeginRead();
        UniqueRules? rules = _database.Settings?.Unique;
        foreach (UniqueState state in UniqueStates.ReadAll(snapshot.Transaction))
        {
            // One whose settings are not loaded yet is worked on after that: whoever changed them calls again.
            if (state.Stage == UniqueStage.Dropping
                || (state.Stage == UniqueStage.Building && rules is not null
                    && Array.Exists(rules.All, one => one.Number == state.Number)))
            {
                return state.Number;
            }
        }

        return null;
    }

    /// <summary>Has the settings say which constraints are active, so that their states are not read any
    /// more.</summary>
    private void Settle()
    {
        if (_database.Settings?.Unique is not { HasUnsettled: true } rules)
        {
            return;
        }

        DatabaseStorage storage = _database.Enter();
        try
        {
            bool isNews;
            using (DocumentSnapshot snapshot = _database.BeginRead())
            {
                isNews = Array.Exists(rules.All, one => !one.IsSettled
                    && UniqueStates.Read(snapshot.Transaction, one.Number)?.Stage == UniqueStage.Active);
            }

            if (isNews)
            {
                storage.LoadSettings();
            }
        }
        finally
        {
            storage.Release();
        }
    }
}
