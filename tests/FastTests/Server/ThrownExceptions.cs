using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>
/// All exceptions of the process while it lives, caught or not, on whichever thread: of work that a request hands to
/// others, an exception is none of the request's thread. Tests that use it run alone.
/// </summary>
internal sealed class ThrownExceptions : IDisposable
{
    private readonly ConcurrentDictionary<string, int> _thrown = new(StringComparer.Ordinal);
    private int _count;

    /// <summary>Begins once the tests before it have ended in the background too: they are not counted.</summary>
    internal ThrownExceptions()
    {
        AppDomain.CurrentDomain.FirstChanceException += Listen;
        int seen;
        do
        {
            seen = Volatile.Read(ref _count);
            Deadline.LetGracePass();
            Deadline.LetGracePass();
        }
        while (seen != Volatile.Read(ref _count));

        _thrown.Clear();
    }

    /// <summary>
    /// Each different one with its stack, and how often it was thrown, once what others were handed is done too.
    /// </summary>
    internal IReadOnlyList<string> End()
    {
        Deadline.LetGracePass();
        Deadline.LetGracePass();
        return [.. _thrown.Select(each => $"{each.Value} x {each.Key}")];
    }

    public void Dispose() => AppDomain.CurrentDomain.FirstChanceException -= Listen;

    private void Listen(object? sender, FirstChanceExceptionEventArgs e)
    {
        Interlocked.Increment(ref _count);
        _thrown.AddOrUpdate(e.Exception.ToString(), 1, (_, count) => count + 1);
    }
}
