using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using Raven.Client.Documents.Entities;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.MoreLikeThis;
using Raven.Client.Documents.Queries.Spatial;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Queries.Vector;
using Raven.Client.Documents.Session.Loaders;

namespace Raven.Client.Documents.Linq;

/// <summary>Extensions of LINQ for queries: asynchronous calls that send them, searches, conditions on lists.</summary>
public static class LinqExtensions
{
    /// <summary>Filters; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<T> Where<T>(this IRavenQueryable<T> source, Expression<Func<T, bool>> predicate) =>
        (IRavenQueryable<T>)Queryable.Where(source, predicate);

    /// <summary>Projects; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<TResult> Select<T, TResult>(
        this IRavenQueryable<T> source, Expression<Func<T, TResult>> selector) =>
        (IRavenQueryable<TResult>)Queryable.Select(source, selector);

    /// <summary>Orders; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<T> OrderBy<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, TKey>> key) =>
        (IRavenQueryable<T>)Queryable.OrderBy(source, key);

    /// <summary>Orders, the largest first; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<T> OrderByDescending<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, TKey>> key) =>
        (IRavenQueryable<T>)Queryable.OrderByDescending(source, key);

    /// <summary>Orders results that are equal so far; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<T> ThenBy<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, TKey>> key) =>
        (IRavenQueryable<T>)Queryable.ThenBy(source, key);

    /// <summary>Orders what is equal so far, the largest first; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<T> ThenByDescending<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, TKey>> key) =>
        (IRavenQueryable<T>)Queryable.ThenByDescending(source, key);

    /// <summary>Leaves out the first ones; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<T> Skip<T>(this IRavenQueryable<T> source, int count) =>
        (IRavenQueryable<T>)Queryable.Skip(source, count);

    /// <summary>Takes no more than so many; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<T> Take<T>(this IRavenQueryable<T> source, int count) =>
        (IRavenQueryable<T>)Queryable.Take(source, count);

    /// <summary>Leaves out duplicates; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<T> Distinct<T>(this IRavenQueryable<T> source) =>
        (IRavenQueryable<T>)Queryable.Distinct(source);

    /// <summary>Filters with regard to case; the result is an <c>IRavenQueryable</c>.</summary>
    public static IRavenQueryable<T> Where<T>(
        this IRavenQueryable<T> source, Expression<Func<T, bool>> predicate, bool exact)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        return QueryAnnotations.Add(source, translator => translator.Where(null, predicate, exact));
    }

    /// <summary>Only documents whose field has words of a text.</summary>
    public static IRavenQueryable<T> Search<T>(
        this IRavenQueryable<T> source, Expression<Func<T, object?>> field, string terms,
        SearchOperator operation = SearchOperator.Or)
    {
        ArgumentNullException.ThrowIfNull(field);
        ArgumentNullException.ThrowIfNull(terms);
        string and = operation == SearchOperator.And ? ", and" : "";
        return QueryAnnotations.Add(source, translator => translator.Where(
            nameof(Search), $"search({translator.Fields.PathOf(field.Body)}, {translator.Rql.Parameter(terms)}{and})"));
    }

    /// <summary>
    /// Scans the results of the conditions, document by document: no index is made for it, fields can be compared with
    /// each other, and the cost grows with the number of scanned documents.
    /// </summary>
    /// <param name="source">The query.</param>
    /// <param name="predicate">A further condition that a document must meet.</param>
    /// <param name="limit">How many documents are scanned at most.</param>
    public static IRavenQueryable<T> Filter<T>(
        this IRavenQueryable<T> source, Expression<Func<T, bool>> predicate, int limit = int.MaxValue)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        return QueryAnnotations.Add(source, translator => translator.Filter(predicate, limit));
    }

    /// <summary>
    /// Documents that meet both the conditions before and those after this call; it may be another entry of the
    /// document for each.
    /// </summary>
    public static IRavenQueryable<T> Intersect<T>(this IRavenQueryable<T> source) =>
        QueryAnnotations.Add(source, translator => translator.Rql.Conditions.Separate());

    /// <summary>Only documents whose shape meets a spatial condition.</summary>
    public static IRavenQueryable<T> Spatial<T>(
        this IRavenQueryable<T> source, Expression<Func<T, object?>> field,
        Func<SpatialCriteriaFactory, SpatialCriteria> clause)
    {
        ArgumentNullException.ThrowIfNull(field);
        return source.Spatial(fields => fields.PathOf(field.Body), clause);
    }

    /// <summary>Only documents whose shape meets a spatial condition.</summary>
    public static IRavenQueryable<T> Spatial<T>(
        this IRavenQueryable<T> source, string fieldName, Func<SpatialCriteriaFactory, SpatialCriteria> clause)
    {
        ArgumentException.ThrowIfNullOrEmpty(fieldName);
        return source.Spatial(_ => RqlBuilder.Field(fieldName), clause);
    }

    /// <summary>Only documents whose vectors are nearest, the nearest first unless another order is given.</summary>
    /// <param name="source">The query.</param>
    /// <param name="field">Which field: <c>field => field.WithEmbedding(x => x.Embedding)</c>.</param>
    /// <param name="value">The vector to compare with: <c>value => value.ByEmbedding(vector)</c>.</param>
    /// <param name="minimumSimilarity">The least similarity, from 0 to 1.</param>
    /// <param name="numberOfCandidates">How many of the nearest; null takes the server's default.</param>
    /// <param name="isExact">All that are similar enough, not only the nearest.</param>
    public static IRavenQueryable<T> VectorSearch<T>(
        this IRavenQueryable<T> source, Func<VectorFieldFactory<T>, VectorField> field,
        Func<VectorValueFactory, VectorValue> value, float? minimumSimilarity = null, int? numberOfCandidates = null,
        bool isExact = false)
    {
        ArgumentNullException.ThrowIfNull(field);
        ArgumentNullException.ThrowIfNull(value);
        VectorField named = field(VectorFieldFactory<T>.Instance);
        VectorValue wanted = value(VectorValueFactory.Instance);
        return QueryAnnotations.Add(source, translator => translator.Where(
            nameof(VectorSearch),
            QueryParts.VectorSearch(
                translator.Rql, named.ToRql(path => translator.Fields.PathOf(path.Body)), wanted, minimumSimilarity,
                numberOfCandidates, isExact)));
    }

    /// <summary>Orders by the distance from a point.</summary>
    public static IRavenQueryable<T> OrderByDistance<T>(
        this IRavenQueryable<T> source, Expression<Func<T, object?>> field, double latitude, double longitude)
    {
        ArgumentNullException.ThrowIfNull(field);
        return source.ByDistance(fields => fields.PathOf(field.Body), latitude, longitude, "");
    }

    /// <summary>Orders by the distance from a point.</summary>
    public static IRavenQueryable<T> OrderByDistance<T>(
        this IRavenQueryable<T> source, string fieldName, double latitude, double longitude)
    {
        ArgumentException.ThrowIfNullOrEmpty(fieldName);
        return source.ByDistance(_ => RqlBuilder.Field(fieldName), latitude, longitude, "");
    }

    /// <summary>Orders by the distance from a point, the farthest first.</summary>
    public static IRavenQueryable<T> OrderByDistanceDescending<T>(
        this IRavenQueryable<T> source, Expression<Func<T, object?>> field, double latitude, double longitude)
    {
        ArgumentNullException.ThrowIfNull(field);
        return source.ByDistance(fields => fields.PathOf(field.Body), latitude, longitude, " desc");
    }

    /// <summary>Orders by the distance from a point, the farthest first.</summary>
    public static IRavenQueryable<T> OrderByDistanceDescending<T>(
        this IRavenQueryable<T> source, string fieldName, double latitude, double longitude)
    {
        ArgumentException.ThrowIfNullOrEmpty(fieldName);
        return source.ByDistance(_ => RqlBuilder.Field(fieldName), latitude, longitude, " desc");
    }

    /// <summary>Orders by how well documents match, the best first.</summary>
    public static IRavenQueryable<T> OrderByScore<T>(this IRavenQueryable<T> source) =>
        QueryAnnotations.Add(source, translator => translator.Order(nameof(OrderByScore), "score()"));

    /// <summary>Orders by how well documents match, the worst first.</summary>
    public static IRavenQueryable<T> OrderByScoreDescending<T>(this IRavenQueryable<T> source) =>
        QueryAnnotations.Add(source, translator => translator.Order(nameof(OrderByScoreDescending), "score() desc"));

    /// <summary>Only documents that are like another one; the only condition of its query.</summary>
    public static IRavenQueryable<T> MoreLikeThis<T>(
        this IRavenQueryable<T> source, Action<IMoreLikeThisBuilder<T>> builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return QueryAnnotations.Add(source, translator =>
        {
            var like = new MoreLikeThisBuilder<T>(translator.Fields);
            builder(like);
            translator.Where(nameof(MoreLikeThis), like.ToCondition());
        });
    }

    /// <summary>Gives pieces of the texts in which words were found.</summary>
    /// <param name="source">The query.</param>
    /// <param name="field">The field that is searched.</param>
    /// <param name="fragmentLength">How long a piece is, in characters.</param>
    /// <param name="fragmentCount">How many pieces of a document.</param>
    /// <param name="highlightings">Holds the pieces once the answer is there.</param>
    public static IRavenQueryable<T> Highlight<T>(
        this IRavenQueryable<T> source, Expression<Func<T, object?>> field, int fragmentLength, int fragmentCount,
        out Highlightings highlightings) =>
        source.Highlight(field, fragmentLength, fragmentCount, null, out highlightings);

    /// <summary>Gives pieces of the texts in which words were found.</summary>
    /// <param name="source">The query.</param>
    /// <param name="field">The field that is searched.</param>
    /// <param name="fragmentLength">How long a piece is, in characters.</param>
    /// <param name="fragmentCount">How many pieces of a document.</param>
    /// <param name="options">What is put around the words; null takes the server's.</param>
    /// <param name="highlightings">Holds the pieces once the answer is there.</param>
    public static IRavenQueryable<T> Highlight<T>(
        this IRavenQueryable<T> source, Expression<Func<T, object?>> field, int fragmentLength, int fragmentCount,
        HighlightingOptions? options, out Highlightings highlightings)
    {
        ArgumentNullException.ThrowIfNull(field);
        var filled = new Highlightings(SerializerOf(source).PathOf(field));
        highlightings = filled;
        return QueryAnnotations.Add(source, translator => QueryParts.AddHighlight(
            translator.Query, translator.Fields.PathOf(field.Body), filled, fragmentLength, fragmentCount, options));
    }

    /// <summary>Includes the documents whose ids are in a property.</summary>
    public static IRavenQueryable<T> Include<T>(
        this IRavenQueryable<T> source, Expression<Func<T, object?>> path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return source.Include(SerializerOf(source).PathOf(path));
    }

    /// <summary>Includes the documents whose ids are at a path.</summary>
    public static IRavenQueryable<T> Include<T>(this IRavenQueryable<T> source, string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return QueryAnnotations.Add(source, translator => translator.Rql.Include(RqlBuilder.Field(path)));
    }

    /// <summary>Includes documents, counters, compare-exchange values and time series.</summary>
    public static IRavenQueryable<T> Include<T>(this IRavenQueryable<T> source, Action<IIncludeBuilder<T>> includes)
    {
        ArgumentNullException.ThrowIfNull(includes);
        return QueryAnnotations.Add(source, translator =>
        {
            var builder = new IncludeBuilder<T>(SerializerOf(source));
            includes(builder);
            QueryParts.AddIncludes(translator.Rql, builder.List);
        });
    }

    /// <summary>Reads the results as another type. <c>OfType</c> does the same.</summary>
    public static IRavenQueryable<TResult> As<TResult>(this IQueryable source) =>
        QueryAnnotations.Add<TResult>(source, _ => { });

    /// <summary>Gives objects of fields instead of documents: those that the type has, by their names.</summary>
    public static IRavenQueryable<TResult> ProjectInto<TResult>(this IQueryable source)
    {
        EntitySerializer serializer = SerializerOf(source);
        string? identity = serializer.IdentityOf(source.ElementType) is { } id ? serializer.NameOf(id) : null;
        return QueryAnnotations.Add<TResult>(source, translator =>
        {
            translator.BeginProjection(nameof(ProjectInto));
            QueryParts.Select<TResult>(
                translator.Query, [.. serializer.NamesOf(typeof(TResult))],
                name => name == identity ? "id()" : RqlBuilder.Field(name));
        });
    }

    /// <summary>Counts values of fields over all results of the query (facets).</summary>
    public static IAggregationQuery<T> AggregateBy<T>(
        this IRavenQueryable<T> source, Action<IFacetBuilder<T>> builder)
    {
        ArgumentNullException.ThrowIfNull(source);
        RavenQueryProvider provider = QueryAnnotations.ProviderOf(source);
        return new AggregationQuery<T>(provider.Runner, provider.Translate(source.Expression)).AndAggregateBy(builder);
    }

    /// <summary>The facets that a stored document defines, over all results of the query.</summary>
    /// <param name="source">The query.</param>
    /// <param name="facetSetupDocumentId">The document.</param>
    public static IAggregationQuery<T> AggregateUsing<T>(this IRavenQueryable<T> source, string facetSetupDocumentId)
    {
        ArgumentNullException.ThrowIfNull(source);
        RavenQueryProvider provider = QueryAnnotations.ProviderOf(source);
        return AggregationQuery<T>.Using(provider.Runner, provider.Translate(source.Expression), facetSetupDocumentId);
    }

    /// <summary>
    /// Groups documents by each of the values of a list: a document is in as many groups. It must be followed by a
    /// <c>Select</c> of the key and of aggregates.
    /// </summary>
    public static IRavenQueryable<IGrouping<TKey, T>> GroupByArrayValues<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, IEnumerable<TKey>>> field)
    {
        ArgumentNullException.ThrowIfNull(field);
        return QueryAnnotations.Add<IGrouping<TKey, T>>(
            source, translator => translator.GroupByArray(field, isContent: false));
    }

    /// <summary>
    /// Groups documents by all that a list holds: those with the same values are one group. It must be followed by a
    /// <c>Select</c> of the key and of aggregates.
    /// </summary>
    public static IRavenQueryable<IGrouping<IEnumerable<TKey>, T>> GroupByArrayContent<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, IEnumerable<TKey>>> field)
    {
        ArgumentNullException.ThrowIfNull(field);
        return QueryAnnotations.Add<IGrouping<IEnumerable<TKey>, T>>(
            source, translator => translator.GroupByArray(field, isContent: true));
    }

    /// <summary>Suggests words of a field that are similar to given ones, which may be misspelled.</summary>
    public static ISuggestionQuery<T> SuggestUsing<T>(
        this IRavenQueryable<T> source, Action<ISuggestionBuilder<T>> builder)
    {
        ArgumentNullException.ThrowIfNull(source);
        RavenQueryProvider provider = QueryAnnotations.ProviderOf(source);
        return new SuggestionQuery<T>(provider.Runner, provider.Translate(source.Expression)).AndSuggestUsing(builder);
    }

    /// <summary>The same query, to be continued call by call.</summary>
    public static IDocumentQuery<T> ToDocumentQuery<T>(this IRavenQueryable<T> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        RavenQueryProvider provider = QueryAnnotations.ProviderOf(source);
        return new DocumentQuery<T>(provider.Runner, provider.Translate(source.Expression));
    }

    /// <summary>The same query, to be continued call by call.</summary>
    public static IAsyncDocumentQuery<T> ToAsyncDocumentQuery<T>(this IRavenQueryable<T> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        RavenQueryProvider provider = QueryAnnotations.ProviderOf(source);
        return new AsyncDocumentQuery<T>(provider.Runner, provider.Translate(source.Expression));
    }

    /// <summary>Inside of a predicate: whether a field has one of the values.</summary>
    public static bool In<T>(this T field, params T[] values) => values.Contains(field);

    /// <summary>Inside of a predicate: whether a list has one of the values.</summary>
    public static bool ContainsAny<T>(this IEnumerable<T> list, IEnumerable<T> values) => list.Intersect(values).Any();

    /// <summary>Inside of a predicate: whether a list has all of the values.</summary>
    public static bool ContainsAll<T>(this IEnumerable<T> list, IEnumerable<T> values) => !values.Except(list).Any();

    /// <summary>The results.</summary>
    public static Task<List<T>> ToListAsync<T>(
        this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        QueryAnnotations.ProviderOf(source).ListAsync<T>(source.Expression, cancellationToken);

    /// <summary>The results.</summary>
    public static async Task<T[]> ToArrayAsync<T>(
        this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        [.. await source.ToListAsync(cancellationToken).ConfigureAwait(false)];

    /// <summary>The first result.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public static Task<T> FirstAsync<T>(this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, T>(source, nameof(Queryable.First), cancellationToken);

    /// <summary>The first result; null if there is none.</summary>
    public static Task<T?> FirstOrDefaultAsync<T>(
        this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, T?>(source, nameof(Queryable.FirstOrDefault), cancellationToken);

    /// <summary>The only result.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    public static Task<T> SingleAsync<T>(this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, T>(source, nameof(Queryable.Single), cancellationToken);

    /// <summary>The only result; null if there is none.</summary>
    /// <exception cref="InvalidOperationException">There is more than one.</exception>
    public static Task<T?> SingleOrDefaultAsync<T>(
        this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, T?>(source, nameof(Queryable.SingleOrDefault), cancellationToken);

    /// <summary>Whether there is any result.</summary>
    public static Task<bool> AnyAsync<T>(this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, bool>(source, nameof(Queryable.Any), cancellationToken);

    /// <summary>How many results there are.</summary>
    public static Task<int> CountAsync<T>(this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, int>(source, nameof(Queryable.Count), cancellationToken);

    /// <summary>How many results there are.</summary>
    public static Task<long> LongCountAsync<T>(
        this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, long>(source, nameof(Queryable.LongCount), cancellationToken);

    /// <summary>The results for <c>await foreach</c>.</summary>
    public static IAsyncEnumerable<T> AsAsyncEnumerable<T>(this IRavenQueryable<T> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Enumerate(source);

        static async IAsyncEnumerable<T> Enumerate(
            IRavenQueryable<T> query, [EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            foreach (T result in await query.ToListAsync(cancellationToken).ConfigureAwait(false))
            {
                yield return result;
            }
        }
    }

    /// <summary>The results, sent with all other lazy requests of the session; blocking.</summary>
    public static Lazy<IEnumerable<T>> Lazily<T>(this IQueryable<T> source)
    {
        Func<Task<List<T>>> list = ListLazily(source);
        return new(() => list().GetAwaiter().GetResult());
    }

    /// <summary>The results, sent with all other lazy requests of the session.</summary>
    public static Lazy<Task<IEnumerable<T>>> LazilyAsync<T>(this IQueryable<T> source)
    {
        Func<Task<List<T>>> list = ListLazily(source);
        return new(async () => await list().ConfigureAwait(false));
    }

    /// <summary>The number of results, sent with all other lazy requests of the session; blocking.</summary>
    public static Lazy<int> CountLazily<T>(this IQueryable<T> source)
    {
        Func<Task<long>> count = LongLazily(source);
        return new(() => checked((int)count().GetAwaiter().GetResult()));
    }

    /// <summary>The number of results, sent with all other lazy requests of the session.</summary>
    public static Lazy<Task<int>> CountLazilyAsync<T>(this IQueryable<T> source)
    {
        Func<Task<long>> count = LongLazily(source);
        return new(async () => checked((int)await count().ConfigureAwait(false)));
    }

    private static EntitySerializer SerializerOf(IQueryable source) =>
        QueryAnnotations.ProviderOf(source).Session.Conventions.Serializer;

    private static Func<Task<List<T>>> ListLazily<T>(IQueryable<T> source)
    {
        RavenQueryProvider provider = QueryAnnotations.ProviderOf(source);
        return provider.Runner.ListLazily<T>(provider.Translate(source.Expression));
    }

    private static Func<Task<long>> LongLazily<T>(IQueryable<T> source)
    {
        RavenQueryProvider provider = QueryAnnotations.ProviderOf(source);
        return provider.Runner.CountLazily(provider.Translate(source.Expression));
    }

    private static IRavenQueryable<T> Spatial<T>(
        this IRavenQueryable<T> source, Func<FieldTranslator, string> pathOf,
        Func<SpatialCriteriaFactory, SpatialCriteria> clause)
    {
        ArgumentNullException.ThrowIfNull(clause);
        return QueryAnnotations.Add(source, translator => translator.Where(
            nameof(Spatial),
            clause(SpatialCriteriaFactory.Instance).ToCondition(translator.Rql, pathOf(translator.Fields))));
    }

    private static IRavenQueryable<T> ByDistance<T>(
        this IRavenQueryable<T> source, Func<FieldTranslator, string> pathOf, double latitude, double longitude,
        string direction) =>
        QueryAnnotations.Add(source, translator => translator.Order(
            nameof(OrderByDistance),
            QueryParts.DistanceOf(translator.Rql, pathOf(translator.Fields), latitude, longitude) + direction));

    [UnconditionalSuppressMessage("Trimming", "IL2026:RequiresUnreferencedCode",
        Justification = "Queryable is kept whole; its AsQueryable is none of the endings.")]
    [UnconditionalSuppressMessage("Trimming", "IL2060:MakeGenericMethod",
        Justification = "No ending asks anything of its type.")]
    private static Task<TResult> EndAsync<T, TResult>(
        IQueryable<T> source, string name, CancellationToken cancellationToken) =>
        QueryAnnotations.ProviderOf(source).ExecuteAsync<TResult>(
            Expression.Call(typeof(Queryable), name, [typeof(T)], source.Expression), cancellationToken);
}
