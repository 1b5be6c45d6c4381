using System.Collections.Immutable;

namespace Shared.Storage;

/// <summary>A commit that was tried: its transaction, when, and what it would leave.</summary>
internal sealed record CommitAttempt(
    long TransactionId, int BeganAt, ImmutableSortedDictionary<string, byte[]> State)
{
    /// <summary>The operations done when the commit returned; none if it never did.</summary>
    internal int AcknowledgedAt { get; set; } = int.MaxValue;
}
