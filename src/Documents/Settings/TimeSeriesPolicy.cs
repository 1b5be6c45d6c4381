namespace Raven.Documents.Settings;

/// <summary>What becomes of time series of a collection: of the raw ones, or of those that a policy makes.</summary>
/// <param name="Name">The name of the policy, which stands behind the @ in the names of its series.</param>
/// <param name="Aggregation">How long the frames are that one entry stands for; null for the raw policy.</param>
/// <param name="Retention">How long entries are kept; null for ever.</param>
internal sealed record TimeSeriesPolicy(string Name, SeriesPeriod? Aggregation, SeriesPeriod? Retention)
{
    /// <summary>The name of the policy of the series that clients write.</summary>
    internal const string Raw = "rawpolicy";
}
