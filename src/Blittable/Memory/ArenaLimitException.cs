namespace Raven.Blittable.Memory;

/// <summary>An operation needs more memory than it may have (<see cref="Arena.LimitBytes"/>).</summary>
public sealed class ArenaLimitException : Exception
{
    /// <summary>Makes one with the limit.</summary>
    /// <param name="limitBytes">The limit.</param>
    public ArenaLimitException(long limitBytes)
        : base($"The operation needs more than {limitBytes} bytes of memory.") => LimitBytes = limitBytes;

    /// <summary>The limit that was exceeded.</summary>
    public long LimitBytes { get; }
}
