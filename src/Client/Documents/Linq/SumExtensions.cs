using System.Linq.Expressions;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Sums that the server computes, in doubles: about 15 digits are exact. A document without the field adds nothing.
/// </summary>
public static class SumExtensions
{
    /// <summary>The sum of a field over all results.</summary>
    public static Task<int> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, int>> selector, CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, int>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected.</summary>
    public static Task<int> SumAsync(
        this IQueryable<int> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<int>(source, nameof(Queryable.Sum), cancellationToken);

    /// <summary>The sum of a field over all results; null adds nothing.</summary>
    public static Task<int?> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, int?>> selector, CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, int?>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected; null adds nothing.</summary>
    public static Task<int?> SumAsync(
        this IQueryable<int?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<int?>(source, nameof(Queryable.Sum), cancellationToken);

    /// <summary>The sum of a field over all results.</summary>
    public static Task<long> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, long>> selector, CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, long>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected.</summary>
    public static Task<long> SumAsync(
        this IQueryable<long> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<long>(source, nameof(Queryable.Sum), cancellationToken);

    /// <summary>The sum of a field over all results; null adds nothing.</summary>
    public static Task<long?> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, long?>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, long?>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected; null adds nothing.</summary>
    public static Task<long?> SumAsync(
        this IQueryable<long?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<long?>(source, nameof(Queryable.Sum), cancellationToken);

    /// <summary>The sum of a field over all results.</summary>
    public static Task<float> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, float>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, float>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected.</summary>
    public static Task<float> SumAsync(
        this IQueryable<float> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<float>(source, nameof(Queryable.Sum), cancellationToken);

    /// <summary>The sum of a field over all results; null adds nothing.</summary>
    public static Task<float?> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, float?>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, float?>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected; null adds nothing.</summary>
    public static Task<float?> SumAsync(
        this IQueryable<float?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<float?>(source, nameof(Queryable.Sum), cancellationToken);

    /// <summary>The sum of a field over all results.</summary>
    public static Task<double> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, double>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, double>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected.</summary>
    public static Task<double> SumAsync(
        this IQueryable<double> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<double>(source, nameof(Queryable.Sum), cancellationToken);

    /// <summary>The sum of a field over all results; null adds nothing.</summary>
    public static Task<double?> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, double?>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, double?>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected; null adds nothing.</summary>
    public static Task<double?> SumAsync(
        this IQueryable<double?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<double?>(source, nameof(Queryable.Sum), cancellationToken);

    /// <summary>The sum of a field over all results.</summary>
    public static Task<decimal> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, decimal>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, decimal>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected.</summary>
    public static Task<decimal> SumAsync(
        this IQueryable<decimal> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<decimal>(source, nameof(Queryable.Sum), cancellationToken);

    /// <summary>The sum of a field over all results; null adds nothing.</summary>
    public static Task<decimal?> SumAsync<T>(
        this IQueryable<T> source, Expression<Func<T, decimal?>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, decimal?>(source, nameof(Queryable.Sum), selector, cancellationToken);

    /// <summary>The sum of what is selected; null adds nothing.</summary>
    public static Task<decimal?> SumAsync(
        this IQueryable<decimal?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<decimal?>(source, nameof(Queryable.Sum), cancellationToken);
}
