using Raven.Blittable.Memory;

namespace Raven.Documents.TimeSeries;

/// <summary>How a part of a time series lies in storage.</summary>
public readonly struct TimeSeriesSegment
{
    /// <summary>The time of its first point, in ms since 0001-01-01.</summary>
    public required long First { get; init; }

    /// <summary>The time of its last point.</summary>
    public required long Last { get; init; }

    /// <summary>How many points it has.</summary>
    public required int Count { get; init; }

    /// <summary>How many values the point has that has most.</summary>
    public required int Width { get; init; }

    /// <summary>The bytes of its row.</summary>
    public required int SizeBytes { get; init; }

    /// <summary>Whether points are appended to it in place.</summary>
    public required bool IsOpen { get; init; }

    /// <summary>The version of its last change, UTF-8.</summary>
    public required NativeSlice ChangeVector { get; init; }
}
