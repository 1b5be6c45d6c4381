using Raven.Storage.Errors;


namespace Raven.Server.Documents;

/// <summary>Whether the disk had no room for a write of late. Any thread.</summary>
internal sealed class SpaceWatch(TimeProvider time)
{
    /// <summary>
    /// How long a refusal is told without another one: who is well is used again, and then nobody would write to find
    /// out whether there is room.
    /// </summary>
    internal static readonly TimeSpan Memory = TimeSpan.FromMinutes(1);

    private volatile Note? _last;

    /// <summary>Why the last write was refused; null where there was room for it, or it is long ago.</summary>
    internal string? Refusal =>
        _last is { } last && time.GetElapsedTime(last.Timestamp) < Memory ? last.Message : null;

    /// <summary>A write was refused for want of room.</summary>
    internal void Refused(StorageIOException full) => _last = new Note(full.Message, time.GetTimestamp());

    /// <summary>A write is done.</summary>
    internal void Written()
    {
        if (_last is not null)
        {
            _last = null;
        }
    }

    private sealed record Note(string Message, long Timestamp);
}
