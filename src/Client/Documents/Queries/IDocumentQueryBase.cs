using System.Linq.Expressions;
using Raven.Client.Documents.Queries.Explanation;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.Timings;
using Raven.Client.Documents.Session.Loaders;

namespace Raven.Client.Documents.Queries;

/// <summary>
/// Orders, pages and includes, which blocking and asynchronous queries share. Each call changes the query, which can be
/// sent several times.
/// </summary>
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

    /// <summary>Gives the results in a random order.</summary>
    /// <param name="seed">The same seed gives the same order; null gives another each time.</param>
    TSelf RandomOrdering(string? seed = null);

    /// <summary>Takes no more than so many.</summary>
    TSelf Take(int count);

    /// <summary>Leaves out the first ones.</summary>
    TSelf Skip(int count);

    /// <summary>Leaves out duplicates.</summary>
    TSelf Distinct();

    /// <summary>Includes the documents whose ids are at a path.</summary>
    TSelf Include(string path);

    /// <summary>Includes the documents whose ids are in a property.</summary>
    TSelf Include(Expression<Func<T, object?>> path);

    /// <summary>Includes documents, counters and compare-exchange values.</summary>
    TSelf Include(Action<IIncludeBuilder<T>> includes);

    /// <summary>Gives pieces of the texts in which words were found.</summary>
    /// <param name="fieldName">The field that is searched.</param>
    /// <param name="fragmentLength">How long a piece is, in characters.</param>
    /// <param name="fragmentCount">How many pieces of a document.</param>
    /// <param name="highlightings">Filled by the answer.</param>
    TSelf Highlight(string fieldName, int fragmentLength, int fragmentCount, out Highlightings highlightings);

    /// <summary>Gives pieces of the texts in which words were found.</summary>
    /// <param name="fieldName">The field that is searched.</param>
    /// <param name="fragmentLength">How long a piece is, in characters.</param>
    /// <param name="fragmentCount">How many pieces of a document.</param>
    /// <param name="options">What is put around the words.</param>
    /// <param name="highlightings">Filled by the answer.</param>
    TSelf Highlight(
        string fieldName, int fragmentLength, int fragmentCount, HighlightingOptions options,
        out Highlightings highlightings);

    /// <summary>Requests the times of each part on the server, which the answer fills in.</summary>
    TSelf Timings(out QueryTimings timings);

    /// <summary>Requests why each result was found, which the answer fills in.</summary>
    TSelf IncludeExplanations(out Explanations explanations);

    /// <summary>Requests why each result was found, which the answer fills in.</summary>
    TSelf IncludeExplanations(ExplanationOptions options, out Explanations explanations);

    /// <summary>Gives a value to a <c>$name</c>.</summary>
    TSelf AddParameter(string name, object? value);

    /// <summary>Sets the source of the fields of a projection.</summary>
    TSelf Projection(ProjectionBehavior behavior);

    /// <summary>Returns an object that the answer fills with the statistics of the query.</summary>
    TSelf Statistics(out QueryStatistics statistics);

    /// <summary>Waits for the index, at most this long; an error if that was too short.</summary>
    TSelf WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>Keeps the results out of the session.</summary>
    TSelf NoTracking();

    /// <summary>Requests the whole answer from the server each time.</summary>
    TSelf NoCaching();

    /// <summary>Is called before the query is sent.</summary>
    TSelf BeforeQueryExecuted(Action<IndexQuery> action);

    /// <summary>Is called with the statistics of each answer.</summary>
    TSelf AfterQueryExecuted(Action<QueryStatistics> action);

    /// <summary>The query as it would be sent.</summary>
    IndexQuery GetIndexQuery();

    /// <summary>The text of the query, RQL.</summary>
    string ToString();
}
