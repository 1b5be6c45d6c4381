using System.Text.Json.Serialization;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>How long entries are kept as they were written.</summary>
public sealed class RawTimeSeriesPolicy : TimeSeriesPolicy
{
    /// <summary>The name that the policy of what was written has.</summary>
    internal const string RawName = "rawpolicy";

    /// <summary>Entries are kept for ever.</summary>
    [JsonConstructor]
    public RawTimeSeriesPolicy() => Name = RawName;

    /// <summary>Entries are kept for a time.</summary>
    /// <param name="retentionTime">How long.</param>
    public RawTimeSeriesPolicy(TimeValue retentionTime)
        : base(RawName, TimeValue.Zero, retentionTime)
    {
    }
}
