namespace Raven.Blittable.Contexts;

/// <summary>How much a pool of contexts may keep while it is not in use.</summary>
public sealed record OperationContextPoolOptions
{
    /// <summary>
    /// Contexts that are kept idle; one returned beyond that is disposed. A writer has one until its commit is durable,
    /// so there are as many at once as there are writers, and making one costs more than a write.
    /// </summary>
    public int IdleContextsMax { get; init; } = 256;

    /// <summary>
    /// Memory of all idle contexts together; if there is more, a returned context keeps only
    /// <see cref="CrowdedBytes"/>.
    /// </summary>
    public long IdleBytesMax { get; init; } = 128L << 20;

    /// <summary>Memory that a context keeps if the idle ones hold too much.</summary>
    public long CrowdedBytes { get; init; } = 64L << 10;

    /// <summary>Memory that an idle context may hold; the rest is freed when the context is returned.</summary>
    public long RetainedBytesMax { get; init; } = 32L << 20;

    /// <summary>Memory that a context keeps after it was trimmed.</summary>
    public long TrimToBytes { get; init; } = 1L << 20;

    /// <summary>
    /// A context that used less than a quarter of its memory for so many operations in a row is trimmed: so that large
    /// requests do not make every context large permanently.
    /// </summary>
    public int LowUseReturnsBeforeTrim { get; init; } = 32;

    /// <summary>
    /// Slots, a power of two; at least one for each processor, so that none waits for another. A test sets one, because
    /// the scheduler may move a thread between two calls, and a context then waits in the slot that the thread left.
    /// </summary>
    internal int Slots { get; init; } =
        (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount);
}
