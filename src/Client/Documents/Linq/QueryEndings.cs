using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Asynchronous calls that send a query and take a condition, a selector or a key, as LINQ has them for lists.
/// </summary>
public static class QueryEndings
{
    /// <summary>The first result that meets a condition.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public static Task<T> FirstAsync<T>(
        this IQueryable<T> source, Expression<Func<T, bool>> predicate,
        CancellationToken cancellationToken = default) =>
        EndAsync<T, T>(source, nameof(Queryable.First), predicate, cancellationToken);

    /// <summary>The first result that meets a condition; null if there is none.</summary>
    public static Task<T?> FirstOrDefaultAsync<T>(
        this IQueryable<T> source, Expression<Func<T, bool>> predicate,
        CancellationToken cancellationToken = default) =>
        EndAsync<T, T?>(source, nameof(Queryable.FirstOrDefault), predicate, cancellationToken);

    /// <summary>The only result that meets a condition.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    public static Task<T> SingleAsync<T>(
        this IQueryable<T> source, Expression<Func<T, bool>> predicate,
        CancellationToken cancellationToken = default) =>
        EndAsync<T, T>(source, nameof(Queryable.Single), predicate, cancellationToken);

    /// <summary>The only result that meets a condition; null if there is none.</summary>
    /// <exception cref="InvalidOperationException">There is more than one.</exception>
    public static Task<T?> SingleOrDefaultAsync<T>(
        this IQueryable<T> source, Expression<Func<T, bool>> predicate,
        CancellationToken cancellationToken = default) =>
        EndAsync<T, T?>(source, nameof(Queryable.SingleOrDefault), predicate, cancellationToken);

    /// <summary>Whether any result meets a condition.</summary>
    public static Task<bool> AnyAsync<T>(
        this IQueryable<T> source, Expression<Func<T, bool>> predicate,
        CancellationToken cancellationToken = default) =>
        EndAsync<T, bool>(source, nameof(Queryable.Any), predicate, cancellationToken);

    /// <summary>Whether all results meet a condition; true if there are none.</summary>
    public static Task<bool> AllAsync<T>(
        this IQueryable<T> source, Expression<Func<T, bool>> predicate,
        CancellationToken cancellationToken = default) =>
        EndAsync<T, bool>(source, nameof(Queryable.All), predicate, cancellationToken);

    /// <summary>How many results meet a condition.</summary>
    public static Task<int> CountAsync<T>(
        this IQueryable<T> source, Expression<Func<T, bool>> predicate,
        CancellationToken cancellationToken = default) =>
        EndAsync<T, int>(source, nameof(Queryable.Count), predicate, cancellationToken);

    /// <summary>How many results meet a condition.</summary>
    public static Task<long> LongCountAsync<T>(
        this IQueryable<T> source, Expression<Func<T, bool>> predicate,
        CancellationToken cancellationToken = default) =>
        EndAsync<T, long>(source, nameof(Queryable.LongCount), predicate, cancellationToken);

    /// <summary>
    /// The smallest value of a field, in the order that the server has: texts without regard to case. Null does not
    /// count, and is the result only if there is nothing else.
    /// </summary>
    /// <exception cref="InvalidOperationException">There is none, and the type has no null.</exception>
    public static Task<TResult?> MinAsync<T, TResult>(
        this IQueryable<T> source, Expression<Func<T, TResult>> selector,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(selector);
        return CallAsync<TResult?>(
            source, nameof(Queryable.Min), [typeof(T), typeof(TResult)], [Expression.Quote(selector)],
            cancellationToken);
    }

    /// <summary>The smallest of the values that are selected.</summary>
    /// <exception cref="InvalidOperationException">There is none, and the type has no null.</exception>
    public static Task<T?> MinAsync<T>(this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        CallAsync<T?>(source, nameof(Queryable.Min), [typeof(T)], [], cancellationToken);

    /// <summary>
    /// The largest value of a field, in the order that the server has: texts without regard to case. Null does not
    /// count, and is the result only if there is nothing else.
    /// </summary>
    /// <exception cref="InvalidOperationException">There is none, and the type has no null.</exception>
    public static Task<TResult?> MaxAsync<T, TResult>(
        this IQueryable<T> source, Expression<Func<T, TResult>> selector,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(selector);
        return CallAsync<TResult?>(
            source, nameof(Queryable.Max), [typeof(T), typeof(TResult)], [Expression.Quote(selector)],
            cancellationToken);
    }

    /// <summary>The largest of the values that are selected.</summary>
    /// <exception cref="InvalidOperationException">There is none, and the type has no null.</exception>
    public static Task<T?> MaxAsync<T>(this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        CallAsync<T?>(source, nameof(Queryable.Max), [typeof(T)], [], cancellationToken);

    /// <summary>
    /// Whether a value is among those that are selected, or a document, by its id, among the results.
    /// </summary>
    public static Task<bool> ContainsAsync<T>(
        this IQueryable<T> source, T item, CancellationToken cancellationToken = default) =>
        CallAsync<bool>(
            source, nameof(Queryable.Contains), [typeof(T)], [Expression.Constant(item, typeof(T))], cancellationToken);

    /// <summary>A dictionary of the results by a key.</summary>
    /// <exception cref="ArgumentException">Two have the same key.</exception>
    public static Task<Dictionary<TKey, T>> ToDictionaryAsync<T, TKey>(
        this IQueryable<T> source, Func<T, TKey> keySelector, CancellationToken cancellationToken = default)
        where TKey : notnull =>
        source.ToDictionaryAsync(keySelector, result => result, null, cancellationToken);

    /// <summary>A dictionary of the results by a key.</summary>
    /// <exception cref="ArgumentException">Two have the same key.</exception>
    public static Task<Dictionary<TKey, T>> ToDictionaryAsync<T, TKey>(
        this IQueryable<T> source, Func<T, TKey> keySelector, IEqualityComparer<TKey>? comparer,
        CancellationToken cancellationToken = default)
        where TKey : notnull =>
        source.ToDictionaryAsync(keySelector, result => result, comparer, cancellationToken);

    /// <summary>A dictionary of a value made of each result, by a key.</summary>
    /// <exception cref="ArgumentException">Two have the same key.</exception>
    public static Task<Dictionary<TKey, TElement>> ToDictionaryAsync<T, TKey, TElement>(
        this IQueryable<T> source, Func<T, TKey> keySelector, Func<T, TElement> elementSelector,
        CancellationToken cancellationToken = default)
        where TKey : notnull =>
        source.ToDictionaryAsync(keySelector, elementSelector, null, cancellationToken);

    /// <summary>A dictionary of a value made of each result, by a key.</summary>
    /// <exception cref="ArgumentException">Two have the same key.</exception>
    public static async Task<Dictionary<TKey, TElement>> ToDictionaryAsync<T, TKey, TElement>(
        this IQueryable<T> source, Func<T, TKey> keySelector, Func<T, TElement> elementSelector,
        IEqualityComparer<TKey>? comparer, CancellationToken cancellationToken = default)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(keySelector);
        ArgumentNullException.ThrowIfNull(elementSelector);
        List<T> results = await source.ToListAsync(cancellationToken).ConfigureAwait(false);
        return results.ToDictionary(keySelector, elementSelector, comparer);
    }

    /// <summary>A set of the results.</summary>
    public static async Task<HashSet<T>> ToHashSetAsync<T>(
        this IQueryable<T> source, CancellationToken cancellationToken = default) =>
        [.. await source.ToListAsync(cancellationToken).ConfigureAwait(false)];

    /// <summary>Ends a query by a call of LINQ with a lambda.</summary>
    internal static Task<TResult> EndAsync<T, TResult>(
        IQueryable<T> source, string name, LambdaExpression lambda, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(lambda);
        return CallAsync<TResult>(source, name, [typeof(T)], [Expression.Quote(lambda)], cancellationToken);
    }

    /// <summary>Ends a query of numbers by a call of LINQ that is not generic.</summary>
    internal static Task<TResult> EndPlainAsync<TResult>(
        IQueryable source, string name, CancellationToken cancellationToken) =>
        CallAsync<TResult>(source, name, null, [], cancellationToken);

    [UnconditionalSuppressMessage("Trimming", "IL2026:RequiresUnreferencedCode",
        Justification = "Queryable is kept whole; its AsQueryable is none of the endings.")]
    [UnconditionalSuppressMessage("Trimming", "IL2060:MakeGenericMethod",
        Justification = "No ending asks anything of its type.")]
    private static Task<TResult> CallAsync<TResult>(
        IQueryable source, string name, Type[]? types, Expression[] arguments, CancellationToken cancellationToken) =>
        QueryAnnotations.ProviderOf(source).ExecuteAsync<TResult>(
            Expression.Call(typeof(Queryable), name, types, [source.Expression, .. arguments]), cancellationToken);
}
