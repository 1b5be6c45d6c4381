namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>What the values of a time series are like.</summary>
internal enum SeriesKind
{
    /// <summary>A sensor's, of two decimals.</summary>
    Sensor,

    /// <summary>A random walk, of six decimals.</summary>
    Walk,

    /// <summary>Four prices of two decimals: open, close, high and low.</summary>
    Prices,
}
