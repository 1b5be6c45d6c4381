namespace Raven.Scripting.Hosting;

/// <summary>One entry of a time series.</summary>
public readonly record struct ScriptTimeSeriesEntry
{
    /// <summary>The time of the entry.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>The measured values.</summary>
    public required double[] Values { get; init; }

    /// <summary>The tag of the entry; null if it has none.</summary>
    public string? Tag { get; init; }
}
