namespace Raven.Client.Documents.Commands;

/// <summary>How long a save waits for indexes, and for which.</summary>
internal sealed record BatchWait(TimeSpan Timeout, bool ThrowOnTimeout, IReadOnlyList<string> Indexes);
