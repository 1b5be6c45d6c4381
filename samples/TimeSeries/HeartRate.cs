using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Samples.TimeSeries;

/// <summary>The values of an entry.</summary>
internal sealed class HeartRate
{
    [TimeSeriesValue(0)]
    public double Rate { get; set; }

    [TimeSeriesValue(1)]
    public double Effort { get; set; }
}
