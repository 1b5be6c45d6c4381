namespace Raven.Documents.Scripts;

/// <summary>What a script has read.</summary>
internal enum ReadKind
{
    /// <summary>A document, or that there is none.</summary>
    Document,

    /// <summary>The last value of an identity.</summary>
    Identity,

    /// <summary>A counter, or that there is none.</summary>
    Counter,

    /// <summary>A time series, or that there is none.</summary>
    TimeSeries,

    /// <summary>A compare-exchange value, or that there is none.</summary>
    CompareExchange,
}
