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
    /// <param name="seed">The same seed gives the same order; null gives a different one each time.</param>
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

    /// <summary>Requests how long each part took on the server; the answer fills the object.</summary>
    TSelf Timings(out QueryTimings timings);

    /// <summary>Requests explanations of why each result was found; the answer fills the object.</summary>
    TSelf IncludeExplanations(out Explanations explanations);

    /// <summary>Requests explanations of why each result was found; the answer fills the object.</summary>
    TSelf IncludeExplanations(ExplanationOptions options, out Explanations explanations);

    /// <summary>Sets the value of a parameter, which the text has as <c>$name</c>.</summary>
    TSelf AddParameter(string name, object? value);

    /// <summary>Sets the source of the fields of a projection.</summary>
    TSelf Projection(ProjectionBehavior behavior);

    /// <summary>Returns an object that the answer fills with the statistics of the query.</summary>
    TSelf Statistics(out QueryStatistics statistics);

    /// <summary>Waits until the index is not stale, at most this long; after that it is an error.</summary>
    TSelf WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>Makes the session not track the results.</summary>
    TSelf NoTracking();

    /// <summary>Requests the whole answer from the server each time.</summary>
    TSelf NoCaching();

    /// <summary>Sets an action that is called before the query is sent.</summary>
    TSelf BeforeQueryExecuted(Action<IndexQuery> action);

    /// <summary>Sets an action that is called with the statistics of each answer.</summary>
    TSelf AfterQueryExecuted(Action<QueryStatistics> action);

    /// <summary>The query as it would be sent.</summary>
    IndexQuery GetIndexQuery();

    /// <summary>The text of the query, RQL.</summary>
    string ToString();
}
