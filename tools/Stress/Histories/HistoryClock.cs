using System.Diagnostics;

namespace Raven.Tools.Stress.Histories;

/// <summary>The one clock of all clients of a history: it only goes on.</summary>
internal sealed class HistoryClock
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>Since its start.</summary>
    internal TimeSpan Elapsed => Stopwatch.GetElapsedTime(_start);

    /// <summary>The same in ticks.</summary>
    internal long Now => Elapsed.Ticks;
}
