using Raven.Storage.Log;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>A gate that keeps what it is given, and settles a commit at once, unless it parks.</summary>
internal sealed class RecordingGate : ICommitGate
{
    private StorageEnvironment? _environment;

    /// <summary>The records, in their order.</summary>
    internal List<(LogPosition Position, byte[] Bytes)> Records { get; } = [];

    /// <summary>What was called, in its order.</summary>
    internal List<string> Calls { get; } = [];

    /// <summary>The epoch of the next commit.</summary>
    internal long Epoch { get; set; } = 1;

    /// <summary>Whether the test says what becomes of a commit.</summary>
    internal bool Parks { get; set; }

    /// <summary>What the next commit is refused with.</summary>
    internal Exception? Refusal { get; set; }

    /// <summary>Has each record before its commit is settled.</summary>
    internal Action<byte[]>? Ships { get; init; }

    /// <summary>Runs when a commit was settled by this.</summary>
    internal Action<long>? Settled { get; init; }

    /// <summary>Decides on the commits of an environment from now on.</summary>
    internal RecordingGate Attach(StorageEnvironment environment)
    {
        _environment = environment;
        environment.AttachGate(this);
        return this;
    }

    /// <summary>Settles the commits of an environment that was opened with this gate.</summary>
    internal void Use(StorageEnvironment environment) => _environment = environment;

    public long Enter(long transactionId) => Refusal is null ? Epoch : throw Refusal;

    public void Take(in CommitShipment shipment)
    {
        byte[] record = new byte[shipment.SizeInBytes];
        shipment.CopyTo(record);
        Records.Add((shipment.Position, record));
        Calls.Add($"take {shipment.Position.TransactionId}");
    }

    public void Written(long transactionId)
    {
        Calls.Add($"written {transactionId}");
        if (!Parks)
        {
            Ships?.Invoke(Records[^1].Bytes);
            if (!_environment!.SettleCommit(transactionId))
            {
                throw new CrashTestException($"Transaction {transactionId} was not parked.");
            }

            Settled?.Invoke(transactionId);
        }
    }

    public void Failed(long transactionId, Exception failure) =>
        Calls.Add($"failed {transactionId}: {failure.GetType().Name}");
}
