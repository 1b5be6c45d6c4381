namespace Raven.Documents.Queries.Series;

/// <summary>What is asked of the values of a group beside what a roll-up has.</summary>
[Flags]
internal enum SeriesNeeds
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>How much they differ: the standard deviation.</summary>
    Spread = 1,

    /// <summary>Each of them: percentiles.</summary>
    Values = 2,
}
