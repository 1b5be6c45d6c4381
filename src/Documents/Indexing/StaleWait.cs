namespace Raven.Documents.Indexing;

/// <summary>A query that waits until an index covers a change.</summary>
internal sealed class StaleWait(long etag)
{
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The change to be covered.</summary>
    internal long Etag { get; } = etag;

    /// <summary>Completes when the index covers the change, or has stopped.</summary>
    internal Task Done => _done.Task;

    internal void Complete() => _done.TrySetResult();
}
