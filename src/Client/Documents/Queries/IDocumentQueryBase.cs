using System.Linq.Expressions;
using Raven.Client.Documents.Queries.Explanation;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.Timings;
using Raven.Client.Documents.Session.Loaders;

namespace Raven.Client.Documents.Queries;

/// <summary>Orders, pages and what comes along: what blocking and asynchronous queries share. A query is changed by
/// each call, and can be asked several times.</summary>
public interface IDocumentQueryBase<T, out TSelf> : IFilterDocumentQuery<T, TSelf>
{
    /// <summary>Orders by a field.</summary>
    TSelf OrderBy(
        string fieldName, OrderingType ordering = OrderingType.String, NullOrdering nulls = NullOrdering.Default);

    /// <summary>Orders by a field, numbers as numbers.</summary>
    TSelf OrderBy<TValue>(Expression<Func<T, TValue>> field, NullOrdering nulls = NullOrdering.Default);

    /// <summary>Orders by a field.</summary>
    TSelf OrderBy<TValue>(Expression<Func<T, TValue>> field, OrderingType ordering);

    /// <summary>Orders by a field, the largest first.</summary>
    TSelf OrderByDescending(
        string fieldName, OrderingType ordering = OrderingType.String, NullOrdering nulls = NullOrdering.Default);

    /// <summary>Orders by a field, the largest first, numbers as numbers.</summary>
    TSelf OrderByDescending<TValue>(Expression<Func<T, TValue>> field, NullOrdering nulls = NullOrdering.Default);

    /// <summary>Orders by a field, the largest first.</summary>
    TSelf OrderByDescending<TValue>(Expression<Func<T, TValue>> field, OrderingType ordering);

    /// <summary>Orders by a field.</summary>
    TSelf AddOrder(string fieldName, bool descending = false, OrderingType ordering = OrderingType.String);

    /// <summary>Orders by how well documents match, the best first.</summary>
    TSelf OrderByScore();

    /// <summary>Orders by how well documents match, the worst first.</summary>
    TSelf OrderByScoreDescending();

    /// <summary>Orders by the distance from a point.</summary>
    TSelf OrderByDistance(string fieldName, double latitude, double longitude);

    /// <summary>Orders by the distance from a point, the farthest first.</summary>
    TSelf OrderByDistanceDescending(string fieldName, double latitude, double longitude);

    /// <summary>Gives the results in an order by chance.</summary>
    /// <param name="seed">The same seed gives the same order; null gives another each time.</param>
    TSelf RandomOrdering(string? seed = null);

    /// <summary>Takes no more than so many.</summary>
    TSelf Take(int count);

    /// <summary>Leaves out the first ones.</summary>
    TSelf Skip(int count);

    /// <summary>Leaves out what is there already.</summary>
    TSelf Distinct();

    /// <summary>Brings the documents along whose ids are at a path.</summary>
    TSelf Include(string path);

    /// <summary>Brings the documents along whose ids are in a property.</summary>
    TSelf Include(Expression<Func<T, object?>> path);

    /// <summary>Brings documents, counters and compare-exchange values along.</summary>
    TSelf Include(Action<IIncludeBuilder<T>> includes);

    /// <summary>Gives pieces of the texts in which words were found.</summary>
    /// <param name="fieldName">The field that is searched.</param>
    /// <param name="fragmentLength">How long a piece is, in characters.</param>
    /// <param name="fragmentCount">How many pieces of a document.</param>
    /// <param name="highlightings">Holds the pieces once the answer is there.</param>
    TSelf Highlight(string fieldName, int fragmentLength, int fragmentCount, out Highlightings highlightings);

    /// <summary>Gives pieces of the texts in which words were found.</summary>
    /// <param name="fieldName">The field that is searched.</param>
    /// <param name="fragmentLength">How long a piece is, in characters.</param>
    /// <param name="fragmentCount">How many pieces of a document.</param>
    /// <param name="options">What stands around the words.</param>
    /// <param name="highlightings">Holds the pieces once the answer is there.</param>
    TSelf Highlight(
        string fieldName, int fragmentLength, int fragmentCount, HighlightingOptions options,
        out Highlightings highlightings);

    /// <summary>Says where the time goes on the server, once it has answered.</summary>
    TSelf Timings(out QueryTimings timings);

    /// <summary>Says why each result is one, once the server has answered.</summary>
    TSelf IncludeExplanations(out Explanations explanations);

    /// <summary>Says why each result is one, once the server has answered.</summary>
    TSelf IncludeExplanations(ExplanationOptions options, out Explanations explanations);

    /// <summary>Gives a value to a <c>$name</c>.</summary>
    TSelf AddParameter(string name, object? value);

    /// <summary>Where the fields of a projection come from.</summary>
    TSelf Projection(ProjectionBehavior behavior);

    /// <summary>Gives what the server says beside the results, once it has answered.</summary>
    TSelf Statistics(out QueryStatistics statistics);

    /// <summary>Waits for the index, at most so long; an error where that was too short.</summary>
    TSelf WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>Keeps the results out of the session.</summary>
    TSelf NoTracking();

    /// <summary>Asks the server each time for the whole answer.</summary>
    TSelf NoCaching();

    /// <summary>Is called before the query is sent.</summary>
    TSelf BeforeQueryExecuted(Action<IndexQuery> action);

    /// <summary>Is called with what the server said, once it has answered.</summary>
    TSelf AfterQueryExecuted(Action<QueryStatistics> action);

    /// <summary>The query as it would be sent.</summary>
    IndexQuery GetIndexQuery();

    /// <summary>The text of the query, RQL.</summary>
    string ToString();
}
