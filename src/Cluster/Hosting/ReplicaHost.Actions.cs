using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <content>What the core wants done.</content>
public sealed partial class ReplicaHost
{
    private void Act(TimeSpan now)
    {
        // What is done may ask the core for more, which is behind.
        for (int i = 0; i < _core.Actions.Count; i++)
        {
            Act(_core.Actions[i], now);
        }

        _core.ClearActions();
    }

    private void Act(in ReplicaAction action, TimeSpan now)
    {
        switch (action.Kind)
        {
            case ReplicaActionKind.Connect:
                Dial(action.Node, now);
                break;
            case ReplicaActionKind.Disconnect:
                Unlink(action.Link);
                break;
            case ReplicaActionKind.Send:
                Send(action.Link, action.Message, default);
                break;
            case ReplicaActionKind.SendRecord:
                SendRecord(action);
                break;
            case ReplicaActionKind.SendPages:
                GrantPages(action);
                break;
            case ReplicaActionKind.ReadGroup:
                _ = ReadGroupAsync();
                break;
            case ReplicaActionKind.WriteGroup:
                _ = WriteGroupAsync(action.Group!, action.Number);
                break;
            case ReplicaActionKind.ReadReady:
                TakeReadReady(action.Number, action.TransactionId, now);
                break;
            case ReplicaActionKind.StepDown:
                StepDown(action);
                break;
            default:
                ActOnFiles(action);
                break;
        }
    }

    private void ActOnFiles(in ReplicaAction action)
    {
        if (_isClosing)
        {
            // When they have been looked at again the core begins anew.
            return;
        }

        switch (action.Kind)
        {
            case ReplicaActionKind.Publish:
                Publish(action.TransactionId);
                break;
            case ReplicaActionKind.Apply:
                Apply(action);
                break;
            case ReplicaActionKind.Recover:
                _lane.Add(new HostJob(HostJobKind.Recover) { TransactionId = action.TransactionId });
                break;
            case ReplicaActionKind.Found:
                _lane.Add(new HostJob(HostJobKind.Found) { Lineage = action.Group!.Lineage });
                break;
            case ReplicaActionKind.Open:
                _lane.Add(new HostJob(HostJobKind.Open) { Epoch = _core.Epoch, Lineage = _core.Group!.Lineage });
                break;
            case ReplicaActionKind.Serve:
                _lane.Add(new HostJob(HostJobKind.Serve));
                break;
            case ReplicaActionKind.Close:
                _lane.Add(new HostJob(HostJobKind.StopServing));
                break;
            case ReplicaActionKind.Copy:
                _lane.Add(new HostJob(HostJobKind.Copy)
                {
                    TransactionId = action.TransactionId,
                    Flag = action.Flag,
                    Tag = _record!.Primary,
                    Lineage = _core.Group!.Lineage,
                });
                break;
            default:
                throw new InvalidOperationException($"{action.Kind} is no action.");
        }
    }

    private void StepDown(in ReplicaAction action)
    {
        _files.Shut();
        EndPages();
        if (action.Flag)
        {
            HostLog.InDoubt(Log, Database, action.TransactionId);
            _losing = true;
            LoseIfWritten();
            Rescan(null);
        }
    }

    private void SendRecord(in ReplicaAction action)
    {
        if (_files.Find(action.Message.Point) is { } record)
        {
            Send(action.Link, action.Message, record);
        }
        else
        {
            // It is kept no more: the follower begins again.
            Unlink(action.Link);
        }
    }
}
