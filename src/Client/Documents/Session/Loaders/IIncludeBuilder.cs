using System.Linq.Expressions;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session.Loaders;

/// <summary>Selects what a load includes with its documents.</summary>
/// <typeparam name="T">The type of the documents.</typeparam>
public interface IIncludeBuilder<T>
{
    /// <summary>Includes the documents whose ids are at a path, such as <c>Lines[].ProductId</c>.</summary>
    IIncludeBuilder<T> IncludeDocuments(string path);

    /// <summary>Includes the document whose id is in a property.</summary>
    IIncludeBuilder<T> IncludeDocuments(Expression<Func<T, string?>> path);

    /// <summary>Includes the documents whose ids are in a list.</summary>
    IIncludeBuilder<T> IncludeDocuments(Expression<Func<T, IEnumerable<string>>> path);

    /// <summary>Includes a counter of each document.</summary>
    IIncludeBuilder<T> IncludeCounter(string name);

    /// <summary>Includes counters of each document.</summary>
    IIncludeBuilder<T> IncludeCounters(params string[] names);

    /// <summary>Includes all counters of each document.</summary>
    IIncludeBuilder<T> IncludeAllCounters();

    /// <summary>
    /// Includes the compare-exchange values whose keys are at a path; the session then returns them without a request.
    /// <c>Email(emails/)</c> stands for the content of <c>Email</c> with "emails/" before it. A text that is no path of
    /// the document is taken as a key.
    /// </summary>
    IIncludeBuilder<T> IncludeCompareExchangeValue(string path);

    /// <summary>Includes the compare-exchange value whose key is in a property.</summary>
    IIncludeBuilder<T> IncludeCompareExchangeValue(Expression<Func<T, string?>> path);

    /// <summary>Includes the compare-exchange values whose keys are in a list.</summary>
    IIncludeBuilder<T> IncludeCompareExchangeValue(Expression<Func<T, IEnumerable<string>>> path);

    /// <summary>Includes a range of a time series of each document; null for an open end.</summary>
    IIncludeBuilder<T> IncludeTimeSeries(string name, DateTime? from = null, DateTime? to = null);

    /// <summary>Includes the end of a time series of each document: so much time before its last entry.</summary>
    IIncludeBuilder<T> IncludeTimeSeries(string name, TimeSeriesRangeType type, TimeValue time);

    /// <summary>Includes the last entries of a time series of each document.</summary>
    IIncludeBuilder<T> IncludeTimeSeries(string name, TimeSeriesRangeType type, int count);

    /// <summary>Includes the ends of time series of each document: so much time before their last entries.</summary>
    IIncludeBuilder<T> IncludeTimeSeries(string[] names, TimeSeriesRangeType type, TimeValue time);

    /// <summary>Includes the last entries of time series of each document.</summary>
    IIncludeBuilder<T> IncludeTimeSeries(string[] names, TimeSeriesRangeType type, int count);

    /// <summary>Includes the ends of all time series of each document.</summary>
    IIncludeBuilder<T> IncludeAllTimeSeries(TimeSeriesRangeType type, TimeValue time);

    /// <summary>Includes the last entries of all time series of each document.</summary>
    IIncludeBuilder<T> IncludeAllTimeSeries(TimeSeriesRangeType type, int count);
}
