using Raven.Cluster.Replication;
using Raven.Storage.Errors;
using Raven.Storage.Log;

namespace Raven.Cluster.Hosting;

/// <content>The files: what is worked on in the lane, and what that gives to the core.</content>
public sealed partial class ReplicaHost
{
    /// <summary>A record that is applied in less time may hold up its connection.</summary>
    private static readonly TimeSpan QuickApply = TimeSpan.FromMilliseconds(2);

    /// <summary>Set while no commit of this node is being written to its own journal.</summary>
    private readonly ManualResetEventSlim _written = new(true);

    /// <summary>What is in flight is lost for its writers as soon as it is written.</summary>
    private bool _losing;

    /// <summary>The files are being closed and looked at again: nothing else is done with them.</summary>
    private bool _isClosing;

    private long _copiedBytes;
    private long _keptAsideBytes;

    /// <summary>How many bytes of pages have come of the copy that is under way, or was the last.</summary>
    public long CopiedBytes => Volatile.Read(ref _copiedBytes);

    /// <summary>How many bytes of other histories are kept aside beside the files; a person removes them.</summary>
    public long KeptAsideBytes => Volatile.Read(ref _keptAsideBytes);

    private void HandleFiles(in HostEvent happened, TimeSpan now)
    {
        switch (happened.Kind)
        {
            case HostEventKind.Taken:
                if (_isClosing || !_core.Propose(now, happened.Position, happened.Bytes))
                {
                    // HOST-3: it was let in under an epoch that is over.
                    HostLog.InDoubt(Log, Database, happened.Position.TransactionId);
                    _losing = true;
                    Rescan(null);
                }

                break;
            case HostEventKind.Written when _losing:
                LoseIfWritten();
                break;
            case HostEventKind.Written or HostEventKind.Journaled:
                _core.Journaled(now, happened.Number);
                break;
            case HostEventKind.FilesFailed:
                FilesFailed((Exception)happened.Object!);
                break;
            case HostEventKind.Scanned:
                _isClosing = false;
                _losing = false;
                Volatile.Write(ref _published, 0);
                _core.Scanned(now, TellKeptAside((ReplicaStart)happened.Object!));
                break;
            case HostEventKind.Recovered:
                Volatile.Write(ref _published, happened.Number);
                _core.Recovered(now, (ulong)happened.Object!);
                break;
            case HostEventKind.Copied:
                Volatile.Write(ref _published, 0);
                _core.Copied(now, TellKeptAside((ReplicaStart)happened.Object!));
                break;
        }
    }

    private ReplicaStart TellKeptAside(ReplicaStart start)
    {
        if (start.KeptAsideBytes > Interlocked.Exchange(ref _keptAsideBytes, start.KeptAsideBytes))
        {
            HostLog.KeptAside(Log, Database, start.KeptAsideBytes);
        }

        return start;
    }

    private void FilesFailed(Exception failure)
    {
        if (!_isClosing)
        {
            HostLog.FilesFailed(Log, failure, Database, Options.FailurePause);
            _problem = $"The files failed: {failure.Message}";

            // The gate first: what comes later than what is lost was surely not done.
            _files.Shut();
            _losing = true;
            LoseIfWritten();
            Rescan(failure);
        }
    }

    /// <summary>HOST-2: gives the place up, closes the files and looks at them again.</summary>
    private void Rescan(Exception? cause)
    {
        if (_isClosing)
        {
            return;
        }

        _isClosing = true;
        _files.Shut();
        _lane.Add(new HostJob(HostJobKind.Rescan) { Cause = cause });
        _core.GiveUp(Now);
    }

    private void LoseIfWritten()
    {
        if (_losing && _written.IsSet)
        {
            _files.Lose(Doubt());
        }
    }

    private IOException Doubt() => new($"another node may be the primary of '{Database}' by now");

    private void Apply(in ReplicaAction action)
    {
        if (_incoming.Remove(action.TransactionId, out (ReadOnlyMemory<byte> Record, ReplicaLink Link) come))
        {
            _hasLaneWork |= _lane.TryAdd(new HostJob(HostJobKind.Apply)
            {
                Position = action.Message.Point,
                Lineage = action.Message.Lineage,
                Record = come.Record,
                Link = come.Link,
            });
        }
        else
        {
            throw new InvalidOperationException($"The record of transaction {action.TransactionId} has not come.");
        }
    }

    private void Publish(long transaction)
    {
        try
        {
            _files.Publish(transaction);
            Volatile.Write(ref _published, Math.Max(_published, transaction));
        }
        catch (Exception failure)
        {
            FilesFailed(failure);
        }
    }

    /// <returns>False if something is still on its way.</returns>
    private async Task<bool> DrainFilesAsync(CancellationToken stop)
    {
        try
        {
            // A commit that nobody acknowledges holds up the wait itself.
            await _files.DrainAsync(stop).WaitAsync(stop).ConfigureAwait(false);
            return true;
        }
        catch (Exception failure)
        {
            HostLog.NotDrained(Log, failure, Database);
            return false;
        }
    }

    private void Do(HostJob job)
    {
        try
        {
            DoJob(job);
        }
        catch (Exception failure)
        {
            Post(new HostEvent(HostEventKind.FilesFailed) { Object = failure });
        }
    }

    private void DoJob(in HostJob job)
    {
        if (_isEnded && job.Kind != HostJobKind.End)
        {
            return;
        }

        switch (job.Kind)
        {
            case HostJobKind.Apply:
                DoApply(job);
                break;
            case HostJobKind.Recover:
                Recover(job.TransactionId);
                break;
            case HostJobKind.Found:
                _files.Found(job.Lineage);
                Post(new HostEvent(HostEventKind.Scanned) { Object = _files.Scan() });
                break;
            case HostJobKind.Open:
                // It completes by acknowledgements, or fails when the transaction is lost.
                Open(job);
                break;
            case HostJobKind.Serve:
                _served.Serve();
                break;
            case HostJobKind.StopServing:
                _served.StopServing();
                break;
            case HostJobKind.Copy:
                Post(new HostEvent(HostEventKind.Copied) { Object = CopyAsync(job).GetAwaiter().GetResult() });
                break;
            case HostJobKind.Rescan:
                Rescan(job);
                break;
            case HostJobKind.End:
                DoEnd(job.Done!);
                break;
        }
    }

    private void DoApply(in HostJob job)
    {
        TimeSpan begun = Now;
        LogPosition now = _files.Apply(job.Lineage, job.Record);
        _isApplyQuick = Now - begun < QuickApply;
        job.Link!.Applied(job.Record.Length);
        if (now != job.Position)
        {
            throw new InvalidDataException(
                $"The record of transaction {job.Position.TransactionId} leads to {now}, and not to {job.Position}.");
        }

        Post(new HostEvent(HostEventKind.Journaled) { Number = now.TransactionId });
    }

    private void Recover(long transaction)
    {
        try
        {
            ulong environment = _files.Recover(transaction);
            Post(new HostEvent(HostEventKind.Recovered) { Number = transaction, Object = environment });
        }
        catch (RecoverUpToException past)
        {
            // Somebody has opened them alone, and they cannot go back: all pages are copied.
            HostLog.FilesFailed(Log, past, Database, TimeSpan.Zero);
            _files.Close();
            ReplicaStart start = _files.Scan();
            Post(new HostEvent(HostEventKind.Scanned)
            {
                Object = start with { Points = [default], Bytes = [], Floor = default, NeedsPages = true },
            });
        }
    }

    private void Open(in HostJob job)
    {
        try
        {
            _files.OpenEpochAsync(job.Epoch, job.Lineage).GetAwaiter().GetResult();
        }
        catch (Exception failure)
        {
            long epoch = job.Epoch;
            Call(_ =>
            {
                if (_core.IsPrimary && _core.Epoch == epoch)
                {
                    FilesFailed(failure);
                }
            });
        }
    }

    /// <summary>Tries until the files can be looked at.</summary>
    private void Rescan(HostJob job)
    {
        Exception? failure = job.Cause;
        while (!_isEnded)
        {
            if (failure is not null)
            {
                // Somebody else takes over meanwhile.
                Task.Delay(Options.FailurePause, Options.Clock, _stop.Token)
                    .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing).GetAwaiter().GetResult();
            }

            try
            {
                CloseFiles();
                Post(new HostEvent(HostEventKind.Scanned) { Object = _files.Scan() });
                _problem = null;
                return;
            }
            catch (Exception again)
            {
                failure = again;
                _problem = $"The files cannot be read: {again.Message}";
                HostLog.FilesFailed(Log, again, Database, Options.FailurePause);
            }
        }
    }

    private void CloseFiles()
    {
        _written.Wait();
        _files.Lose(Doubt());
        _served.StopServing();
        _files.Close();
    }

    private void DoEnd(TaskCompletionSource done)
    {
        try
        {
            CloseFiles();
            _files.Dispose();
            done.SetResult();
        }
        catch (Exception failure)
        {
            done.SetException(failure);
        }
    }
}
