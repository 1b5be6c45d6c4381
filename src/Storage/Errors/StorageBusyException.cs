namespace Raven.Storage.Errors;

/// <summary>
/// The disk, or a reader, held the flush up for so long that journal or memory reached their bound; the write was not
/// begun and may be retried.
/// </summary>
public sealed class StorageBusyException : Exception
{
    /// <summary>Reports a write that was not begun.</summary>
    public StorageBusyException(string message)
        : base(message)
    {
    }
}
