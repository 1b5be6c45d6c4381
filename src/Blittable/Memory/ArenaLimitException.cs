namespace Raven.Blittable.Memory;

/// <summary>An operation wants more memory than it may have (<see cref="Arena.LimitBytes"/>).</summary>
public sealed class ArenaLimitException : Exception
{
    /// <summary>Makes one.</summary>
    /// <param name="limitBytes">What it may have.</param>
    public ArenaLimitException(long limitBytes)
        : base($"The operation needs more than {limitBytes} bytes of memory.") => LimitBytes = limitBytes;

    /// <summary>What it may have.</summary>
    public long LimitBytes { get; }
}
