namespace Raven.Cluster.Hosting;

/// <summary>Reads that wait for one answer.</summary>
internal sealed class ReadBatch
{
    private readonly TaskCompletionSource<ReadStatus> _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The answer.</summary>
    internal Task<ReadStatus> Task => _done.Task;

    /// <summary>When it was asked for.</summary>
    internal TimeSpan AskedAt { get; set; }

    /// <summary>What readers must see.</summary>
    internal long TransactionId { get; set; }

    internal void End(ReadStatus status) => _done.TrySetResult(status);
}
