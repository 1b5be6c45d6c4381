using System.Diagnostics;

namespace Raven.Server.Http.Queries;

//   TURN-1  A query begins on the thread of its request. One whose results take longer than a turn goes on in turns,
//           between which others have theirs: however many such queries there are, they hold no more than all
//           processors but one, and no thread of the pool that a write or a read by id would wait for. Turns of scripts
//           are taken on the threads of scripts (THREADS-1).

/// <summary>The turns in which the results of one query are made. One thread at a time.</summary>
/// <param name="request">The request.</param>
/// <param name="hasScripts">Whether scripts make its results.</param>
internal struct QueryTurns(RequestContext request, bool hasScripts)
{
    /// <summary>Rows between two looks at the clock if rows are cheap: some tens of microseconds.</summary>
    private const int RowsBetweenLooks = 32;

    /// <summary>How long a query may take without giving way.</summary>
    private static readonly long TurnTicksMax = Stopwatch.Frequency / 50;

    private long _began;
    private int _rows;

    /// <summary>Whether it has taken longer than a turn: the next ones are to be taken.</summary>
    internal bool IsLong { get; private set; }

    /// <summary>A turn begins, on this thread.</summary>
    internal void Begin() => _began = Stopwatch.GetTimestamp();

    /// <summary>One more row was made: whether the turn is over.</summary>
    internal bool IsOver()
    {
        if (!hasScripts && ++_rows % RowsBetweenLooks != 0)
        {
            return false;
        }

        bool isOver = Stopwatch.GetTimestamp() - _began > TurnTicksMax;
        IsLong |= isOver;
        return isOver;
    }

    /// <summary>Waits for a turn and takes it.</summary>
    /// <param name="turn">What is done in it.</param>
    internal readonly Task<bool> TakeAsync(Func<bool> turn)
    {
        request.Server.CountQueryTurn();
        return hasScripts
            ? request.Server.Queries.RunAsync(turn, request.Aborted)
            : TakeOfPoolAsync(turn);
    }

    private readonly async Task<bool> TakeOfPoolAsync(Func<bool> turn)
    {
        SemaphoreSlim turns = request.Server.LongQueries;
        await turns.WaitAsync(request.Aborted).ConfigureAwait(false);
        try
        {
            return turn();
        }
        finally
        {
            turns.Release();
        }
    }
}
