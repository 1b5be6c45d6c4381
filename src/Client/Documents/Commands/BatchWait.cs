namespace Raven.Client.Documents.Commands;

/// <summary>Until when a save waits for indexes.</summary>
internal sealed record BatchWait(TimeSpan Timeout, bool ThrowOnTimeout, IReadOnlyList<string> Indexes);
