namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>Says what a query selects of a time series.</summary>
public interface ITimeSeriesQueryBuilder
{
    /// <summary>Begins with a series of the result.</summary>
    ITimeSeriesQueryable From(string name);

    /// <summary>The query of a series as RQL: <c>from HeartRate group by 1 hour</c>.</summary>
    /// <param name="queryText">
    /// The text. It is part of a query that the server runs: never put untrusted input there.
    /// </param>
    T Raw<T>(string queryText) where T : TimeSeriesQueryResult;
}
