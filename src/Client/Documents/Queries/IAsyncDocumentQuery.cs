using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>A query that is built call by call, of an asynchronous session. <c>await foreach</c> sends it.</summary>
public interface IAsyncDocumentQuery<T> : IDocumentQueryBase<T, IAsyncDocumentQuery<T>>, IAsyncEnumerable<T>
{
    /// <summary>Gives objects of fields instead of documents: those that the type has.</summary>
    IAsyncDocumentQuery<TProjection> SelectFields<TProjection>();

    /// <summary>Gives objects of fields instead of documents; one field gives its values.</summary>
    IAsyncDocumentQuery<TProjection> SelectFields<TProjection>(params string[] fields);

    /// <summary>Gives what is selected of a time series of each document instead of the documents.</summary>
    IAsyncDocumentQuery<TTimeSeries> SelectTimeSeries<TTimeSeries>(
        Func<ITimeSeriesQueryBuilder, TTimeSeries> timeSeriesQuery)
        where TTimeSeries : TimeSeriesQueryResult;

    /// <summary>Groups documents that have the same values; the next calls select values of each group.</summary>
    IGroupByDocumentQuery<T, IAsyncDocumentQuery<T>> GroupBy(string fieldName, params string[] fieldNames);

    /// <summary>Reads the results as another type.</summary>
    IAsyncDocumentQuery<TResult> OfType<TResult>();

    /// <summary>Sends the query; returns all results.</summary>
    Task<List<T>> ToListAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns all results.</summary>
    Task<T[]> ToArrayAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns the first result.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    Task<T> FirstAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns the first result, null if there is none.</summary>
    Task<T?> FirstOrDefaultAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns the only result.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    Task<T> SingleAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns the only result, null if there is none.</summary>
    /// <exception cref="InvalidOperationException">There is more than one.</exception>
    Task<T?> SingleOrDefaultAsync(CancellationToken cancellationToken = default);

    /// <summary>Whether there is any result.</summary>
    Task<bool> AnyAsync(CancellationToken cancellationToken = default);

    /// <summary>How many results there are.</summary>
    Task<int> CountAsync(CancellationToken cancellationToken = default);

    /// <summary>How many results there are.</summary>
    Task<long> LongCountAsync(CancellationToken cancellationToken = default);

    /// <summary>The results, sent with all other lazy requests of the session.</summary>
    Lazy<Task<IEnumerable<T>>> LazilyAsync();

    /// <summary>The number of results, sent with all other lazy requests of the session.</summary>
    Lazy<Task<int>> CountLazilyAsync();

    /// <summary>The results as they arrive, in little memory and untracked.</summary>
    IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default);

    /// <summary>Counts values of fields over all results of the query (facets).</summary>
    IAggregationQuery<T> AggregateBy(Action<IFacetBuilder<T>> builder);

    /// <summary>The facets that a stored document defines, over all results of the query.</summary>
    IAggregationQuery<T> AggregateUsing(string facetSetupDocumentId);

    /// <summary>Suggests words of a field that are similar to given ones, which may be misspelled.</summary>
    ISuggestionQuery<T> SuggestUsing(Action<ISuggestionBuilder<T>> builder);

    /// <summary>The same query, to be continued with LINQ.</summary>
    IRavenQueryable<T> ToQueryable();
}
