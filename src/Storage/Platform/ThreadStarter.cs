namespace Raven.Storage.Platform;

/// <summary>Starts threads for callers that can handle the system's refusal.</summary>
public static class ThreadStarter
{
    /// <summary>Starts a background thread.</summary>
    /// <param name="run">What it does.</param>
    /// <param name="name">Its name.</param>
    /// <param name="priority">Its priority.</param>
    /// <param name="start">Starts it, and may refuse to, in a test; null for the system.</param>
    /// <returns>False if the system starts no more threads: there is no thread then.</returns>
    public static bool TryStart(
        ThreadStart run, string name, ThreadPriority priority = ThreadPriority.Normal, Action<Thread>? start = null)
    {
        var thread = new Thread(run) { IsBackground = true, Name = name, Priority = priority };
        try
        {
            if (start is null)
            {
                // Not with what is ambient in the caller, such as the span of a request: the thread outlives it.
                thread.UnsafeStart();
            }
            else
            {
                start(thread);
            }

            return true;
        }
        catch (Exception failure) when (failure is OutOfMemoryException or ThreadStartException)
        {
            return false;
        }
    }
}
