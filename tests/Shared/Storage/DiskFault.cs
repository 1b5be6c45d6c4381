namespace Shared.Storage;

/// <summary>
/// What goes wrong at a call. An interruption by a signal (EINTR) and a short count that is no failure are not here:
/// they end below the file seam, whose calls are whole or fail, and are tested there, on the real one
/// (<c>ShortCallTests</c>; <c>tools/Stress strace</c> interrupts each second write of a server).
/// </summary>
internal enum DiskFaultKind
{
    /// <summary>The call fails and changes nothing (EIO).</summary>
    InputOutputError,

    /// <summary>The disk is full (ENOSPC); calls that need no space go on.</summary>
    DiskFull,

    /// <summary>A write stops in the middle, then fails.</summary>
    ShortWrite,

    /// <summary>A sync fails and drops what was not durable; the next one succeeds.</summary>
    LostSync,

    /// <summary>The call takes 50 ms and then succeeds.</summary>
    Delay,

    /// <summary>
    /// A write succeeds with one of its bits flipped, without an error. It happens once: that two flips take the last
    /// record and the header that names it is a stated limit.
    /// </summary>
    FlippedBit,

    /// <summary>A call that changes nothing fails: a read, a list, a look for a name, a lock (EIO), a map (ENOMEM),
    /// the opening of a file that is there (EMFILE). These are counted apart from the calls that change the disk.
    /// </summary>
    ReadError,
}

/// <summary>
/// A failure at the n-th call that changes the disk, or that only looks at it, once or from there on.
/// </summary>
/// <param name="Kind">What fails.</param>
/// <param name="AtCall">The call, counted from 0 among those of its sort.</param>
/// <param name="IsSticky">True if every later call fails as well.</param>
internal sealed record DiskFault(DiskFaultKind Kind, int AtCall, bool IsSticky);
