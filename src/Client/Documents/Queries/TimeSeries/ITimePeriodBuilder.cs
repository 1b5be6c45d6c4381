namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>Says how long a stretch of time is.</summary>
public interface ITimePeriodBuilder
{
    /// <summary>So many milliseconds.</summary>
    ITimeSeriesAggregationOperations Milliseconds(int duration);

    /// <summary>So many seconds.</summary>
    ITimeSeriesAggregationOperations Seconds(int duration);

    /// <summary>So many minutes.</summary>
    ITimeSeriesAggregationOperations Minutes(int duration);

    /// <summary>So many hours.</summary>
    ITimeSeriesAggregationOperations Hours(int duration);

    /// <summary>So many days.</summary>
    ITimeSeriesAggregationOperations Days(int duration);

    /// <summary>So many weeks, which begin on Mondays.</summary>
    ITimeSeriesAggregationOperations Weeks(int duration);

    /// <summary>So many months of the calendar.</summary>
    ITimeSeriesAggregationOperations Months(int duration);

    /// <summary>So many quarters of the calendar.</summary>
    ITimeSeriesAggregationOperations Quarters(int duration);

    /// <summary>So many years of the calendar.</summary>
    ITimeSeriesAggregationOperations Years(int duration);
}
