using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace FastTests.Server;

/// <summary>
/// All exceptions of the process while it lives, caught or not, on whichever thread: of work that a request hands to
/// others, an exception is none of the request's thread. Tests that use it run alone.
/// </summary>
internal sealed class ThrownExceptions : IDisposable
{
    private static readonly TimeSpan Quiet = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan QuietWithin = TimeSpan.FromSeconds(10);

    private readonly ConcurrentDictionary<string, int> _thrown = new(StringComparer.Ordinal);
    private int _count;

    /// <summary>Begins once the tests before it have ended in the background too: they are not counted.</summary>
    internal ThrownExceptions()
    {
        AppDomain.CurrentDomain.FirstChanceException += Listen;
        int seen = -1;
        for (TimeSpan waited = TimeSpan.Zero; seen != _count && waited < QuietWithin; waited += Quiet)
        {
            seen = Volatile.Read(ref _count);
            Thread.Sleep(Quiet);
        }

        _thrown.Clear();
    }

    /// <summary>
    /// Each different one with its stack, and how often it was thrown, once what others were handed is done too.
    /// </summary>
    internal IReadOnlyList<string> End()
    {
        Thread.Sleep(Quiet);
        return [.. _thrown.Select(each => $"{each.Value} x {each.Key}")];
    }

    public void Dispose() => AppDomain.CurrentDomain.FirstChanceException -= Listen;

    private void Listen(object? sender, FirstChanceExceptionEventArgs e)
    {
        Interlocked.Increment(ref _count);
        _thrown.AddOrUpdate(e.Exception.ToString(), 1, (_, count) => count + 1);
    }
}
