using System.Diagnostics;
using System.Numerics;

namespace Raven.Server.Diagnostics;

/// <summary>
/// Counts and times every request, per route and in all. Recording costs a handful of interlocked additions, allocates
/// nothing and takes no lock; reading sees each number by itself, not all of one instant.
/// </summary>
public sealed class RequestCounters
{
    /// <summary>The number of duration classes: class n holds durations below 2^n microseconds.</summary>
    public const int DurationClasses = 32;

    // One cache line a route, so that two busy routes do not fight over one.
    private const int RowLength = 8;
    private const int CountSlot = 0;
    private const int TicksSlot = 1;
    private const int ClientErrorSlot = 2;
    private const int ServerErrorSlot = 3;

    private readonly long[] _rows;
    private readonly long[] _durations = new long[DurationClasses];
    private readonly int _routes;
    private long _started;

    /// <summary>Counters for a number of routes, and one row more for requests that had none.</summary>
    public RequestCounters(int routes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(routes);
        _routes = routes;
        _rows = new long[(routes + 2) * RowLength];
    }

    /// <summary>The row of requests that matched no route (404, 405, refused before routing).</summary>
    public int NoRoute => _routes;

    /// <summary>Requests that began, ended or not.</summary>
    public long Started => Volatile.Read(ref _started);

    /// <summary>Requests that are running now.</summary>
    public long Active => Math.Max(0, Started - Total(CountSlot));

    /// <summary>Requests that ended.</summary>
    public long Count => Total(CountSlot);

    /// <summary>Requests answered 400 to 499.</summary>
    public long ClientErrors => Total(ClientErrorSlot);

    /// <summary>Requests answered 500 to 599.</summary>
    public long ServerErrors => Total(ServerErrorSlot);

    /// <summary>The time all ended requests took together.</summary>
    public double TotalSeconds => Total(TicksSlot) / (double)Stopwatch.Frequency;

    /// <summary>A request begins.</summary>
    public void Start() => Interlocked.Increment(ref _started);

    /// <summary>A request ended.</summary>
    /// <param name="route">The number of its route, or <see cref="NoRoute"/>.</param>
    /// <param name="status">The status it was answered with.</param>
    /// <param name="ticks">How long it took, in <see cref="Stopwatch"/> ticks.</param>
    public void Record(int route, int status, long ticks)
    {
        int row = (route + 1) * RowLength;
        Interlocked.Increment(ref _rows[row + CountSlot]);
        Interlocked.Add(ref _rows[row + TicksSlot], ticks);
        if (status >= 400)
        {
            Interlocked.Increment(ref _rows[row + (status >= 500 ? ServerErrorSlot : ClientErrorSlot)]);
        }

        ulong microseconds = (ulong)Math.Max(0, ticks) * 1_000_000 / (ulong)Stopwatch.Frequency;
        Interlocked.Increment(ref _durations[ClassOf(microseconds)]);
    }

    /// <summary>What one route did: requests, seconds, 4xx, 5xx.</summary>
    public (long Count, double Seconds, long ClientErrors, long ServerErrors) Of(int route)
    {
        int row = (route + 1) * RowLength;
        return (
            Volatile.Read(ref _rows[row + CountSlot]),
            Volatile.Read(ref _rows[row + TicksSlot]) / (double)Stopwatch.Frequency,
            Volatile.Read(ref _rows[row + ClientErrorSlot]),
            Volatile.Read(ref _rows[row + ServerErrorSlot]));
    }

    /// <summary>
    /// How many requests took less than 2^<paramref name="durationClass"/> and at least half of that, in us.
    /// </summary>
    public long InClass(int durationClass) => Volatile.Read(ref _durations[durationClass]);

    private static int ClassOf(ulong microseconds) =>
        Math.Min(DurationClasses - 1, 64 - BitOperations.LeadingZeroCount(microseconds));

    private long Total(int slot)
    {
        long sum = 0;
        for (int row = RowLength; row < _rows.Length; row += RowLength)
        {
            sum += Volatile.Read(ref _rows[row + slot]);
        }

        return sum;
    }
}
