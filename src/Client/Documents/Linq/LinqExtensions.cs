using System.Linq.Expressions;
using System.Reflection;
using Raven.Client.Documents.Queries;

namespace Raven.Client.Documents.Linq;

/// <summary>What LINQ lacks for queries: awaited endings, searches, conditions on lists.</summary>
public static class LinqExtensions
{
    /// <summary>Filters; the result stays a query of ours.</summary>
    public static IRavenQueryable<T> Where<T>(this IRavenQueryable<T> source, Expression<Func<T, bool>> predicate) =>
        (IRavenQueryable<T>)Queryable.Where(source, predicate);

    /// <summary>Projects; the result stays a query of ours.</summary>
    public static IRavenQueryable<TResult> Select<T, TResult>(
        this IRavenQueryable<T> source, Expression<Func<T, TResult>> selector) =>
        (IRavenQueryable<TResult>)Queryable.Select(source, selector);

    /// <summary>Orders; the result stays a query of ours.</summary>
    public static IRavenQueryable<T> OrderBy<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, TKey>> key) =>
        (IRavenQueryable<T>)Queryable.OrderBy(source, key);

    /// <summary>Orders, the largest first; the result stays a query of ours.</summary>
    public static IRavenQueryable<T> OrderByDescending<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, TKey>> key) =>
        (IRavenQueryable<T>)Queryable.OrderByDescending(source, key);

    /// <summary>Orders what is equal so far; the result stays a query of ours.</summary>
    public static IRavenQueryable<T> ThenBy<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, TKey>> key) =>
        (IRavenQueryable<T>)Queryable.ThenBy(source, key);

    /// <summary>Orders what is equal so far, the largest first; the result stays a query of ours.</summary>
    public static IRavenQueryable<T> ThenByDescending<T, TKey>(
        this IRavenQueryable<T> source, Expression<Func<T, TKey>> key) =>
        (IRavenQueryable<T>)Queryable.ThenByDescending(source, key);

    /// <summary>Leaves out the first ones; the result stays a query of ours.</summary>
    public static IRavenQueryable<T> Skip<T>(this IRavenQueryable<T> source, int count) =>
        (IRavenQueryable<T>)Queryable.Skip(source, count);

    /// <summary>Takes no more than so many; the result stays a query of ours.</summary>
    public static IRavenQueryable<T> Take<T>(this IRavenQueryable<T> source, int count) =>
        (IRavenQueryable<T>)Queryable.Take(source, count);

    /// <summary>Leaves out what is there already; the result stays a query of ours.</summary>
    public static IRavenQueryable<T> Distinct<T>(this IRavenQueryable<T> source) =>
        (IRavenQueryable<T>)Queryable.Distinct(source);

    /// <summary>Only documents whose field holds words of a text.</summary>
    public static IRavenQueryable<T> Search<T>(
        this IRavenQueryable<T> source, Expression<Func<T, object?>> field, string terms,
        SearchOperator operation = SearchOperator.Or)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Call(source, nameof(Search), [typeof(T)], Expression.Quote(field), Expression.Constant(terms),
            Expression.Constant(operation));
    }

    /// <summary>Brings the documents along whose ids are in a property.</summary>
    public static IRavenQueryable<T> Include<T>(
        this IRavenQueryable<T> source, Expression<Func<T, object?>> path)
    {
        ArgumentNullException.ThrowIfNull(source);
        MethodInfo method = typeof(LinqExtensions).GetMethods()
            .Single(it => it.Name == nameof(Include)).MakeGenericMethod(typeof(T));
        return (IRavenQueryable<T>)source.Provider.CreateQuery<T>(
            Expression.Call(method, source.Expression, Expression.Quote(path)));
    }

    /// <summary>Reads the results as another type.</summary>
    public static IRavenQueryable<TResult> OfType<T, TResult>(this IRavenQueryable<T> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        MethodInfo method = typeof(LinqExtensions).GetMethods()
            .Single(it => it.Name == nameof(OfType)).MakeGenericMethod(typeof(T), typeof(TResult));
        return (IRavenQueryable<TResult>)source.Provider.CreateQuery<TResult>(
            Expression.Call(method, source.Expression));
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
        ProviderOf(source).ListAsync<T>(source.Expression, cancellationToken);

    /// <summary>The results.</summary>
    public static async Task<T[]> ToArrayAsync<T>(
        this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        [.. await source.ToListAsync(cancellationToken).ConfigureAwait(false)];

    /// <summary>The first result.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public static Task<T> FirstAsync<T>(this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, T>(source, nameof(Queryable.First), cancellationToken);

    /// <summary>The first result; null where there is none.</summary>
    public static Task<T?> FirstOrDefaultAsync<T>(
        this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, T?>(source, nameof(Queryable.FirstOrDefault), cancellationToken);

    /// <summary>The only result.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    public static Task<T> SingleAsync<T>(this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        EndAsync<T, T>(source, nameof(Queryable.Single), cancellationToken);

    /// <summary>The only result; null where there is none.</summary>
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

    private static IRavenQueryable<T> Call<T>(
        IRavenQueryable<T> source, string name, Type[] types, params Expression[] arguments) =>
        (IRavenQueryable<T>)source.Provider.CreateQuery<T>(
            Expression.Call(typeof(LinqExtensions), name, types, [source.Expression, .. arguments]));

    private static Task<TResult> EndAsync<T, TResult>(
        IQueryable<T> source, string name, CancellationToken cancellationToken) =>
        ProviderOf(source).ExecuteAsync<TResult>(
            Expression.Call(typeof(Queryable), name, [typeof(T)], source.Expression), cancellationToken);

    private static RavenQueryProvider ProviderOf<T>(IQueryable<T> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return source.Provider as RavenQueryProvider ?? throw new NotSupportedException(
            "This is no query of a session: it can be enumerated without being awaited.");
    }
}
