using Raven.Storage.Errors;


namespace Raven.Documents;

/// <summary>Whether the disk had no room for a recent write. Any thread.</summary>
public sealed class DiskSpaceMonitor(TimeProvider time)
{
    /// <summary>
    /// How long a refusal is reported without another one: a healthy node gets requests again, and without writes it
    /// would never be known whether there is room.
    /// </summary>
    internal static readonly TimeSpan Memory = TimeSpan.FromMinutes(1);

    private volatile Note? _last;

    /// <summary>Why the last write was refused; null if there was room for it, or it was long ago.</summary>
    public string? Refusal =>
        _last is { } last && time.GetElapsedTime(last.Timestamp) < Memory ? last.Message : null;

    /// <summary>Notes a write that was refused because the disk is full.</summary>
    internal void Refused(StorageIOException full) => _last = new Note(full.Message, time.GetTimestamp());

    /// <summary>Notes a write that was done.</summary>
    internal void Written()
    {
        if (_last is not null)
        {
            _last = null;
        }
    }

    private sealed record Note(string Message, long Timestamp);
}
