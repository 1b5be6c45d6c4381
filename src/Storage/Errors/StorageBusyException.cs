namespace Raven.Storage.Errors;

/// <summary>
/// The disk, or a reader, held the flush up for so long that journal or memory reached their bounds; the write was not
/// begun. Try again later.
/// </summary>
public sealed class StorageBusyException : Exception
{
    /// <summary>Reports a writer that waited in vain.</summary>
    public StorageBusyException(string message)
        : base(message)
    {
    }
}
