using System.Diagnostics;

namespace Raven.Server.Http.Queries;

//   TURN-1  A query begins on the thread of its request. One whose results take longer than a slice goes on in slices,
//           between which others have theirs: however many such queries there are, they hold no more than all
//           processors but one, and no thread of the pool that a write or a read by id would wait for. Turns of scripts
//           are taken on the threads of scripts (THREADS-1).

/// <summary>The time slices in which the results of one query are made. One thread at a time.</summary>
/// <param name="request">The request.</param>
/// <param name="hasScripts">Whether scripts make its results.</param>
internal struct QuerySlices(RequestContext request, bool hasScripts)
{
    /// <summary>Results between two checks of the clock if results are cheap: some tens of microseconds.</summary>
    private const int ResultsBetweenChecks = 32;

    /// <summary>How long a query may take without giving way.</summary>
    private static readonly long SliceTicksMax = Stopwatch.Frequency / 50;

    private long _began;
    private int _results;

    /// <summary>Whether it has taken longer than a slice: the next ones are to be taken.</summary>
    internal bool IsLong { get; private set; }

    /// <summary>A slice of time begins, on this thread.</summary>
    internal void Begin() => _began = Stopwatch.GetTimestamp();

    /// <summary>One more result was made: whether the slice is over.</summary>
    internal bool IsOver()
    {
        if (!hasScripts && ++_results % ResultsBetweenChecks != 0)
        {
            return false;
        }

        bool isOver = Stopwatch.GetTimestamp() - _began > SliceTicksMax;
        IsLong |= isOver;
        return isOver;
    }

    /// <summary>Waits for a slice and runs in it.</summary>
    /// <param name="slice">What is done in it.</param>
    internal readonly Task<bool> RunAsync(Func<bool> slice)
    {
        request.Server.CountQuerySlice();
        return hasScripts
            ? request.Server.Queries.RunAsync(slice, request.Aborted)
            : RunOnPoolAsync(slice);
    }

    private readonly async Task<bool> RunOnPoolAsync(Func<bool> slice)
    {
        SemaphoreSlim slices = request.Server.LongQueries;
        await slices.WaitAsync(request.Aborted).ConfigureAwait(false);
        try
        {
            return slice();
        }
        finally
        {
            slices.Release();
        }
    }
}
