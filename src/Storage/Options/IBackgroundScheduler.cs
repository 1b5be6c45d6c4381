namespace Raven.Storage.Options;

/// <summary>Runs background work. Tests run it themselves, so that a run depends only on its seed.</summary>
public interface IBackgroundScheduler
{
    /// <summary>Runs the work soon, on a thread that may block.</summary>
    /// <exception cref="OutOfMemoryException">The work was not taken.</exception>
    void Schedule(Action work);
}
