namespace Raven.Storage.Platform;

/// <summary>Starts threads where the system may refuse one.</summary>
public static class ThreadStarter
{
    /// <summary>Starts a background thread.</summary>
    /// <param name="run">What it does.</param>
    /// <param name="name">Its name.</param>
    /// <param name="priority">Its priority.</param>
    /// <returns>False where the system starts no more threads: there is no thread then.</returns>
    public static bool TryStart(Action run, string name, ThreadPriority priority = ThreadPriority.Normal) =>
        TryStart(run, name, priority, static thread => thread.Start());

    /// <summary>The same with what starts it, which in a test may refuse.</summary>
    public static bool TryStart(Action run, string name, ThreadPriority priority, Action<Thread> start)
    {
        ArgumentNullException.ThrowIfNull(start);
        try
        {
            start(new Thread(() => run()) { IsBackground = true, Name = name, Priority = priority });
            return true;
        }
        catch (Exception failure) when (failure is OutOfMemoryException or ThreadStartException)
        {
            return false;
        }
    }
}
