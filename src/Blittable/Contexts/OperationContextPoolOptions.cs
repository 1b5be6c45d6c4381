namespace Raven.Blittable.Contexts;

/// <summary>What a pool of contexts may keep while nobody uses it.</summary>
public sealed record OperationContextPoolOptions
{
    /// <summary>
    /// Contexts that are kept idle; one that comes back beyond that is disposed. A writer has its own until its commit
    /// is durable, so there are as many at once as there are writers, and making one anew costs more than a write.
    /// </summary>
    public int IdleContextsMax { get; init; } = 256;

    /// <summary>
    /// Memory of all idle contexts together; where there is more, what comes back keeps only
    /// <see cref="CrowdedBytes"/> of its own.
    /// </summary>
    public long IdleBytesMax { get; init; } = 128L << 20;

    /// <summary>Memory that a context keeps where the idle ones hold too much.</summary>
    public long CrowdedBytes { get; init; } = 64L << 10;

    /// <summary>
    /// Memory that an idle context may hold; what is above goes back to the system when the context returns.
    /// </summary>
    public long RetainedBytesMax { get; init; } = 32L << 20;

    /// <summary>Memory that a context keeps after it was trimmed.</summary>
    public long TrimToBytes { get; init; } = 1L << 20;

    /// <summary>
    /// A context that used less than a quarter of its memory for so many operations in a row is trimmed: one large
    /// request must not make every context large for good.
    /// </summary>
    public int LeanReturnsBeforeTrim { get; init; } = 32;

    /// <summary>
    /// Slots, a power of two; at least one a processor, so that none waits for another. A test takes one, because the
    /// scheduler may move a thread between two calls, and a context then waits in the slot that the thread left.
    /// </summary>
    internal int Slots { get; init; } =
        (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount);
}
