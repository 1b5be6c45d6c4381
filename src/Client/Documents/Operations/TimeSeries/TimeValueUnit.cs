namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>The unit of a <see cref="TimeValue"/>.</summary>
public enum TimeValueUnit
{
    /// <summary>None: of what never ends.</summary>
    None,

    /// <summary>Seconds.</summary>
    Second,

    /// <summary>Months of the calendar.</summary>
    Month,
}
