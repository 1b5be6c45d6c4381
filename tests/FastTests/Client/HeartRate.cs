using Raven.Client.Documents.Session.TimeSeries;

namespace FastTests.Client;

/// <summary>Two values of an entry.</summary>
internal sealed class HeartRate
{
    [TimeSeriesValue(0)]
    public double Rate { get; set; }

    [TimeSeriesValue(1)]
    public double Effort { get; set; }
}

/// <summary>What measures.</summary>
internal sealed class Watch
{
    public string? Id { get; set; }

    public string Maker { get; set; } = "";

    public double Accuracy { get; set; }

    public bool IsNew { get; set; }
}
