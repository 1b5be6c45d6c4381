namespace Raven.Tools.Bench.Suites.Subscriptions;

/// <summary>What a worker reads of a document: the name, and when it was due to be written.</summary>
internal sealed class QueuedItem
{
    public string? Name { get; set; }

    public long Due { get; set; }
}
