namespace Raven.Client.Http;

/// <summary>
/// How old a cached answer may be to be used without a request, for all calls inside of the scope (also across await).
/// Zero sends each request.
/// </summary>
internal sealed class AggressiveCacheScope : IDisposable
{
    private readonly AsyncLocal<AggressiveCacheScope?> _current;
    private readonly AggressiveCacheScope? _outer;

    internal AggressiveCacheScope(AsyncLocal<AggressiveCacheScope?> current, TimeSpan duration, bool tracksChanges)
    {
        Duration = duration;
        TracksChanges = tracksChanges;
        _current = current;
        _outer = current.Value;
        current.Value = this;
    }

    internal TimeSpan Duration { get; }

    internal bool TracksChanges { get; }

    public void Dispose() => _current.Value = _outer;
}
