using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>A query that is built call by call, of a blocking session. Enumerating it sends it.</summary>
public interface IDocumentQuery<T> : IDocumentQueryBase<T, IDocumentQuery<T>>, IEnumerable<T>
{
    /// <summary>Gives objects of fields instead of documents: those that the type has.</summary>
    IDocumentQuery<TProjection> SelectFields<TProjection>();

    /// <summary>Gives objects of fields instead of documents; one field gives its values.</summary>
    IDocumentQuery<TProjection> SelectFields<TProjection>(params string[] fields);

    /// <summary>Gives what is selected of a time series of each document instead of the documents.</summary>
    IDocumentQuery<TTimeSeries> SelectTimeSeries<TTimeSeries>(
        Func<ITimeSeriesQueryBuilder, TTimeSeries> timeSeriesQuery)
        where TTimeSeries : TimeSeriesQueryResult;

    /// <summary>Groups documents that have the same values; the next calls select values of each group.</summary>
    IGroupByDocumentQuery<T, IDocumentQuery<T>> GroupBy(string fieldName, params string[] fieldNames);

    /// <summary>Reads the results as another type.</summary>
    IDocumentQuery<TResult> OfType<TResult>();

    /// <summary>Sends the query; returns all results.</summary>
    List<T> ToList();

    /// <summary>Sends the query; returns all results.</summary>
    T[] ToArray();

    /// <summary>Sends the query; returns the first result.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    T First();

    /// <summary>Sends the query; returns the first result, null if there is none.</summary>
    T? FirstOrDefault();

    /// <summary>Sends the query; returns the only result.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    T Single();

    /// <summary>Sends the query; returns the only result, null if there is none.</summary>
    /// <exception cref="InvalidOperationException">There is more than one.</exception>
    T? SingleOrDefault();

    /// <summary>Whether there is any result.</summary>
    bool Any();

    /// <summary>How many results there are.</summary>
    int Count();

    /// <summary>How many results there are.</summary>
    long LongCount();

    /// <summary>The results, sent with all other lazy requests of the session.</summary>
    Lazy<IEnumerable<T>> Lazily();

    /// <summary>The number of results, sent with all other lazy requests of the session.</summary>
    Lazy<int> CountLazily();

    /// <summary>The results as they arrive, in little memory and untracked.</summary>
    IEnumerable<StreamResult<T>> Stream();

    /// <summary>Counts values of fields over all results of the query (facets).</summary>
    IAggregationQuery<T> AggregateBy(Action<IFacetBuilder<T>> builder);

    /// <summary>The facets that a stored document defines, over all results of the query.</summary>
    IAggregationQuery<T> AggregateUsing(string facetSetupDocumentId);

    /// <summary>Suggests words of a field that are similar to given ones, which may be misspelled.</summary>
    ISuggestionQuery<T> SuggestUsing(Action<ISuggestionBuilder<T>> builder);

    /// <summary>The same query, to be continued with LINQ.</summary>
    IRavenQueryable<T> ToQueryable();
}
