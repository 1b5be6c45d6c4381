using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>A query that is built call by call, of a blocking session. Enumerating it sends it.</summary>
public interface IDocumentQuery<T> : IDocumentQueryBase<T, IDocumentQuery<T>>, IEnumerable<T>
{
    /// <summary>Gives objects of fields instead of documents: those that the type has.</summary>
    IDocumentQuery<TProjection> SelectFields<TProjection>();

    /// <summary>Gives objects of fields instead of documents; one field gives its values.</summary>
    IDocumentQuery<TProjection> SelectFields<TProjection>(params string[] fields);

    /// <summary>Groups documents that have the same values; the next calls select values of each group.</summary>
    IGroupByDocumentQuery<T, IDocumentQuery<T>> GroupBy(string fieldName, params string[] fieldNames);

    /// <summary>Reads the results as another type.</summary>
    IDocumentQuery<TResult> OfType<TResult>();

    /// <summary>The results.</summary>
    List<T> ToList();

    /// <summary>The results.</summary>
    T[] ToArray();

    /// <summary>The first result.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    T First();

    /// <summary>The first result; null if there is none.</summary>
    T? FirstOrDefault();

    /// <summary>The only result.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    T Single();

    /// <summary>The only result; null if there is none.</summary>
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

    /// <summary>Counts values of fields over all that the query finds.</summary>
    IAggregationQuery<T> AggregateBy(Action<IFacetBuilder<T>> builder);

    /// <summary>The facets that a document describes, over all that the query finds.</summary>
    IAggregationQuery<T> AggregateUsing(string facetSetupDocumentId);

    /// <summary>Finds words that misspelled ones may have meant.</summary>
    ISuggestionQuery<T> SuggestUsing(Action<ISuggestionBuilder<T>> builder);

    /// <summary>The same query for LINQ.</summary>
    IRavenQueryable<T> ToQueryable();
}
