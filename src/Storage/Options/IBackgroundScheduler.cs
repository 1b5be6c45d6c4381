namespace Raven.Storage.Options;

/// <summary>
/// Where background work runs. Tests run it themselves, so that a run is a function of its seed.
/// </summary>
public interface IBackgroundScheduler
{
    /// <summary>Runs the work soon, on a thread that may block.</summary>
    /// <exception cref="OutOfMemoryException">The work was not taken.</exception>
    void Schedule(Action work);
}
