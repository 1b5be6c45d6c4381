using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>Functions for lambdas of queries, which the server runs. Anywhere else they throw.</summary>
/// <remarks>
/// All of them can be used in a <c>Select</c>. In conditions: <see cref="Id"/>, <c>Metadata(x)["name"]</c>, and
/// <see cref="CmpXchg{T}"/> as the value that a field is compared with.
/// </remarks>
public static class RavenQuery
{
    /// <summary>
    /// A document that the result refers to: <c>RavenQuery.Load&lt;Company&gt;(order.CompanyId).Name</c>. <c>let</c>
    /// can give it a name.
    /// </summary>
    /// <param name="id">Its id; null gives null.</param>
    public static T Load<T>(string? id) => throw OnlyInQueries();

    /// <summary>Documents that the result refers to.</summary>
    /// <param name="ids">Their ids.</param>
    public static IEnumerable<T> Load<T>(IEnumerable<string>? ids) => throw OnlyInQueries();

    /// <summary>The id of a document: of the result, or of one that was loaded.</summary>
    public static string Id(object document) => throw OnlyInQueries();

    /// <summary>The metadata of a document; <c>Metadata(x)["@collection"]</c> is one value of it.</summary>
    public static IMetadataDictionary Metadata(object document) => throw OnlyInQueries();

    /// <summary>When a document was written last, UTC.</summary>
    public static DateTime LastModified(object document) => throw OnlyInQueries();

    /// <summary>A counter of the result; null if it has none of that name.</summary>
    public static long? Counter(string name) => throw OnlyInQueries();

    /// <summary>A counter of a document.</summary>
    /// <param name="document">The document, or its id.</param>
    /// <param name="name">The counter.</param>
    public static long? Counter(object document, string name) => throw OnlyInQueries();

    /// <summary>A time series of the result.</summary>
    public static ITimeSeriesQueryable TimeSeries(string name) => throw OnlyInQueries();

    /// <summary>A range of a time series of the result; both ends belong to it.</summary>
    public static ITimeSeriesQueryable TimeSeries(string name, DateTime from, DateTime to) =>
        throw OnlyInQueries();

    /// <summary>A time series of a document.</summary>
    /// <param name="document">The result, or a document that was loaded.</param>
    /// <param name="name">The name of the series.</param>
    public static ITimeSeriesQueryable TimeSeries(object document, string name) => throw OnlyInQueries();

    /// <summary>A range of a time series of a document; both ends belong to it.</summary>
    public static ITimeSeriesQueryable TimeSeries(object document, string name, DateTime from, DateTime to) =>
        throw OnlyInQueries();

    /// <summary>A time series, whose values are objects, of the result.</summary>
    public static ITimeSeriesQueryable<T> TimeSeries<T>(string name) where T : new() => throw OnlyInQueries();

    /// <summary>A range of a time series of the result; both ends belong to it.</summary>
    public static ITimeSeriesQueryable<T> TimeSeries<T>(string name, DateTime from, DateTime to) where T : new() =>
        throw OnlyInQueries();

    /// <summary>A time series, whose values are objects, of a document.</summary>
    /// <param name="document">The result, or a document that was loaded.</param>
    /// <param name="name">The name of the series.</param>
    public static ITimeSeriesQueryable<T> TimeSeries<T>(object document, string name)
        where T : new() => throw OnlyInQueries();

    /// <summary>A range of a time series of a document; both ends belong to it.</summary>
    public static ITimeSeriesQueryable<T> TimeSeries<T>(object document, string name, DateTime from, DateTime to)
        where T : new() =>
        throw OnlyInQueries();

    /// <summary>The value of a compare-exchange key; null if there is none.</summary>
    public static T CmpXchg<T>(string key) => throw OnlyInQueries();

    /// <summary>An expression of JavaScript, as it is written; <c>x</c> is the document.</summary>
    /// <param name="js">
    /// The text. It is part of a program that the server runs: never put untrusted input there.
    /// </param>
    public static T Raw<T>(string js) => throw OnlyInQueries();

    /// <summary>A value of JavaScript made from another: <c>Raw(x.Name, "substr(0, 3)")</c>.</summary>
    /// <param name="value">The value before the dot.</param>
    /// <param name="js">The text behind the dot, as it is written.</param>
    public static T Raw<T>(T value, string js) => throw OnlyInQueries();

    private static NotSupportedException OnlyInQueries() => new(
        $"This is for the lambdas of {nameof(IRavenQueryable<object>)}, which the server runs: it cannot be called.");
}
