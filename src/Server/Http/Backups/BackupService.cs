using System.Collections.Concurrent;
using Raven.Documents;
using Raven.Documents.Operations;
using Raven.Server.Http.Security;

namespace Raven.Server.Http.Backups;

//   TASK-1  A task has one run at a time: who asks for another one gets the one that is under way.
//   TASK-2  A run that fails is tried again after a minute, then after longer and longer pauses of at most an hour.
//   TASK-3  A run of a schedule is put off while as many run as may, or memory is short; one that is asked for waits
//           for its place.

/// <summary>The backups of a server: runs them when their schedules or requests ask for it. Any thread.</summary>
internal sealed class BackupService : IDisposable
{
    private static readonly TimeSpan TickInterval = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan RetryMin = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan RetryMax = TimeSpan.FromHours(1);
    private static readonly TimeSpan PutOffMax = TimeSpan.FromDays(1);
    private static readonly TimeSpan EndMax = TimeSpan.FromSeconds(10);

    private readonly ServerState _server;
    private readonly ConcurrentDictionary<(string Database, long Task), Run> _runs = new();
    private readonly ConcurrentDictionary<(string Database, long Task), (int Count, DateTimeOffset Until)> _failures =
        new();

    private readonly ConcurrentDictionary<(string Database, long Task), DateTimeOffset> _putOff = new();

    private readonly ITimer _timer;
    private int _isTicking;

    internal BackupService(ServerState server)
    {
        _server = server;
        Tasks = new BackupTasks(server.Databases, server.Security.Secrets);
        Archiver = new BackupArchiver(server, this);
        int places = server.Options.BackupsMax > 0
            ? server.Options.BackupsMax
            : Math.Max(1, Environment.ProcessorCount / 2);
        PlaceCount = places;
        Places = new SemaphoreSlim(places, places);
        Work = new BackupWork(server, Zone);
        _timer = server.Time.CreateTimer(
            state => ((BackupService)state!).Tick(), this, TickInterval, TickInterval);
    }

    /// <summary>The tasks.</summary>
    internal BackupTasks Tasks { get; }

    /// <summary>Archives the journals that tasks want archived.</summary>
    internal BackupArchiver Archiver { get; }

    /// <summary>What a run does.</summary>
    internal BackupWork Work { get; }

    /// <summary>How many backups run at one time.</summary>
    internal int PlaceCount { get; }

    /// <summary>The places for runs at one time.</summary>
    internal SemaphoreSlim Places { get; }

    /// <summary>How many backups run, or wait for a place.</summary>
    internal int RunningCount => _runs.Count;

    /// <summary>The zone of schedules.</summary>
    internal TimeZoneInfo Zone => _server.Options.BackupsUseUtc ? TimeZoneInfo.Utc : _server.Time.LocalTimeZone;

    /// <summary>How the runs of a task went; a task that is new begins to wait for its first time now.</summary>
    internal BackupStatus StatusOf(string database, long taskId)
    {
        var status = BackupStatus.Read(_server.Databases.Records, database, taskId);
        if (status.CreatedAt == null)
        {
            status.Create(_server.Time.GetUtcNow());
        }

        return status;
    }

    /// <summary>The run of a task; null if none is under way.</summary>
    internal (RunningOperation Operation, bool IsFull)? RunOf(string database, long taskId) =>
        _runs.TryGetValue(KeyOf(database, taskId), out Run? run) ? (run.Operation, run.IsFull) : null;

    /// <summary>Runs a task, unless it runs already.</summary>
    internal RunningOperation Start(Database database, BackupConfiguration task, bool isFull, OperationStarter? starter)
    {
        (string, long) key = KeyOf(database.Name, task.TaskId);
        while (true)
        {
            if (_runs.TryGetValue(key, out Run? there))
            {
                return there.Operation;
            }

            var run = new Run(_server.Operations.Begin(database.Name, starter), isFull);
            if (_runs.TryAdd(key, run))
            {
                run.Work = Task.Run(() => RunTaskAsync(database, task, run, key));
                return run.Operation;
            }

            run.Operation.Complete();
            _server.Operations.Ended(run.Operation);
        }
    }

    /// <summary>Makes one backup of all, of which no status is kept.</summary>
    internal RunningOperation StartOnce(Database database, BackupConfiguration once, OperationStarter starter)
    {
        RunningOperation operation = _server.Operations.Begin(database.Name, starter);
        var run = new Run(operation, isFull: true);
        _runs[KeyOf(database.Name, -operation.Id)] = run;
        run.Work = Task.Run(() => RunOnceAsync(database, once, run));
        return operation;
    }

    /// <summary>Runs work as an operation, with its failure as the operation's.</summary>
    internal async Task<string?> RunAsync(RunningOperation operation, Func<CancellationToken, Task> work)
    {
        try
        {
            using var stop = CancellationTokenSource.CreateLinkedTokenSource(operation.Killed, _server.Stopping);
            await work(stop.Token).ConfigureAwait(false);
            operation.Complete();
            return null;
        }
#pragma warning disable CA1031 // Any exception ends the operation, and its state reports it.
        catch (Exception e)
#pragma warning restore CA1031
        {
            FailureAnswer answer = FailureMapping.Describe(_server, e);
            operation.Fail(answer);
            return answer.Message;
        }
    }

    /// <summary>The same when there is a place for it.</summary>
    private Task<string?> RunInPlaceAsync(RunningOperation operation, Func<CancellationToken, Task> work) =>
        RunAsync(operation, async stop =>
        {
            await Places.WaitAsync(stop).ConfigureAwait(false);
            try
            {
                await work(stop).ConfigureAwait(false);
            }
            finally
            {
                Places.Release();
            }
        });

    /// <summary>Forgets a task, or all tasks of a database that is gone.</summary>
    internal void Forget(string database, long? taskId = null)
    {
        if (taskId is { } id)
        {
            BackupStatus.Delete(_server.Databases.Records, database, id);
        }
        else
        {
            BackupStatus.DeleteAll(_server.Databases.Records, database);
        }
    }

    /// <summary>Starts what is due. Called by the timer.</summary>
    internal void Tick()
    {
        if (Interlocked.Exchange(ref _isTicking, 1) != 0)
        {
            return;
        }

        try
        {
            DateTimeOffset now = _server.Time.GetUtcNow();
            foreach (string name in _server.Databases.Names())
            {
                // Of a group the primary makes them: others would make the same.
                if (_server.Databases.TryGet(name, out Database? database) && !database.IsDisabled
                    && database.Replica is not { IsPrimary: false } && !_server.Stopping.IsCancellationRequested)
                {
                    StartDue(database, now);
                }
            }
        }
#pragma warning disable CA1031 // An exception that left the thread of a timer would end the process; it is logged.
        catch (Exception e)
#pragma warning restore CA1031
        {
            BackupLog.CannotLook(_server.Log, e);
        }
        finally
        {
            Volatile.Write(ref _isTicking, 0);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer.Dispose();
        foreach (Run run in _runs.Values)
        {
            run.Operation.Kill();
        }

        // They use the databases, which are closed next.
        Task.WaitAll([.. _runs.Values.Select(run => run.Work), .. Archiver.Work], EndMax);
        Places.Dispose();
        Work.Dispose();
    }

    private void StartDue(Database database, DateTimeOffset now)
    {
        BackupConfiguration[] tasks = Tasks.Of(database.Name);
        Archiver.Look(database, tasks, now);
        foreach (BackupConfiguration task in tasks)
        {
            (string, long) key = KeyOf(database.Name, task.TaskId);
            if (task.IsDisabled || _runs.ContainsKey(key)
                || (_failures.TryGetValue(key, out (int Count, DateTimeOffset Until) failed) && now < failed.Until
                    && failed.Until - now <= RetryMax))
            {
                continue;
            }

            BackupStatus status = StatusOf(database.Name, task.TaskId);
            if (BackupSchedule.Next(task, status, now, Zone) is { } next && next.At <= now && !IsPutOff(key, now)
                && _server.Cluster.TryOwn(database.Name, task.TaskId))
            {
                Start(database, task, next.IsFull, starter: null);
            }
        }
    }

    /// <summary>Whether a run waits for a while because others run, or memory is short.</summary>
    private bool IsPutOff((string, long) key, DateTimeOffset now)
    {
        if (_putOff.TryGetValue(key, out DateTimeOffset until) && now < until && until - now <= PutOffMax)
        {
            return true;
        }

        TimeSpan? pause = !_server.Memory.IsOpen ? _server.Options.BackupsLowMemoryDelay
            : Places.CurrentCount == 0 ? _server.Options.BackupsDelay
            : null;
        if (pause is { } wait)
        {
            _putOff[key] = now + wait;
            return true;
        }

        _putOff.TryRemove(key, out _);
        return false;
    }

    private async Task RunTaskAsync(Database database, BackupConfiguration task, Run run, (string, long) key)
    {
        RunningOperation operation = run.Operation;
        DateTimeOffset began = _server.Time.GetUtcNow();
        long started = _server.Time.GetTimestamp();
        var detail = new BackupDetail();
        operation.Detail = detail;
        try
        {
            using IDisposable turn = await Archiver.EnterAsync(database.Name, task.TaskId).ConfigureAwait(false);
            BackupStatus status = StatusOf(database.Name, task.TaskId);
            string? problem = await RunInPlaceAsync(
                operation, stop => Work.RunAsync(database, task, run.IsFull, operation, status, began, detail, stop))
                .ConfigureAwait(false);
            if (problem == null)
            {
                _failures.TryRemove(key, out _);
            }
            else
            {
                NoteFailure(key, began);
                BackupLog.Failed(_server.Log, task.Name, database.Name, problem);
                if (!detail.IsKept)
                {
                    status.Failed(
                        task, run.IsFull, began, _server.Time.GetElapsedTime(started), operation.Id, problem);
                }
            }
        }
#pragma warning disable CA1031 // Nobody awaits the run: what its status could not be told is in the log.
        catch (Exception e)
#pragma warning restore CA1031
        {
            BackupLog.CannotKeep(_server.Log, e, task.Name, database.Name);
            operation.Fail(FailureMapping.Describe(_server, e));
        }
        finally
        {
            _runs.TryRemove(key, out _);
            _server.Operations.Ended(operation);
        }
    }

    private async Task RunOnceAsync(Database database, BackupConfiguration once, Run run)
    {
        var detail = new BackupDetail();
        run.Operation.Detail = detail;
        try
        {
            await RunInPlaceAsync(
                run.Operation, stop => Work.RunOnceAsync(database, once, run.Operation, detail, stop))
                .ConfigureAwait(false);
        }
        finally
        {
            _runs.TryRemove(KeyOf(database.Name, -run.Operation.Id), out _);
            _server.Operations.Ended(run.Operation);
        }
    }

    private void NoteFailure((string, long) key, DateTimeOffset now)
    {
        int count = (_failures.TryGetValue(key, out (int Count, DateTimeOffset Until) before) ? before.Count : 0) + 1;
        TimeSpan pause = RetryMin * Math.Pow(2, Math.Min(count - 1, 10));
        _failures[key] = (count, now + (pause < RetryMax ? pause : RetryMax));
    }

    private static (string, long) KeyOf(string database, long taskId) => (database.ToUpperInvariant(), taskId);

    /// <summary>A run that is under way.</summary>
    private sealed class Run(RunningOperation operation, bool isFull)
    {
        internal RunningOperation Operation { get; } = operation;

        internal bool IsFull { get; } = isFull;

        internal Task Work { get; set; } = Task.CompletedTask;
    }
}
