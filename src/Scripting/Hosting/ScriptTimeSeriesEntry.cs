namespace Raven.Scripting.Hosting;

/// <summary>One entry of a time series.</summary>
public readonly record struct ScriptTimeSeriesEntry
{
    /// <summary>When.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>What was measured.</summary>
    public required double[] Values { get; init; }

    /// <summary>By what; null where nothing was said.</summary>
    public string? Tag { get; init; }
}
