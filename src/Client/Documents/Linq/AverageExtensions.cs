using System.Linq.Expressions;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Averages that the server computes, in doubles: about 15 digits are exact. A document without the field
/// does not count.
/// </summary>
public static class AverageExtensions
{
    /// <summary>The average of a field over all results.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<double> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, int>> selector, CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, double>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<double> AverageAsync(
        this IQueryable<int> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<double>(source, nameof(Queryable.Average), cancellationToken);

    /// <summary>The average of a field over all results; null if none has a value.</summary>
    public static Task<double?> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, int?>> selector, CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, double?>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected; null if there is no value.</summary>
    public static Task<double?> AverageAsync(
        this IQueryable<int?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<double?>(source, nameof(Queryable.Average), cancellationToken);

    /// <summary>The average of a field over all results.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<double> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, long>> selector, CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, double>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<double> AverageAsync(
        this IQueryable<long> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<double>(source, nameof(Queryable.Average), cancellationToken);

    /// <summary>The average of a field over all results; null if none has a value.</summary>
    public static Task<double?> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, long?>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, double?>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected; null if there is no value.</summary>
    public static Task<double?> AverageAsync(
        this IQueryable<long?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<double?>(source, nameof(Queryable.Average), cancellationToken);

    /// <summary>The average of a field over all results.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<float> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, float>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, float>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<float> AverageAsync(
        this IQueryable<float> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<float>(source, nameof(Queryable.Average), cancellationToken);

    /// <summary>The average of a field over all results; null if none has a value.</summary>
    public static Task<float?> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, float?>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, float?>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected; null if there is no value.</summary>
    public static Task<float?> AverageAsync(
        this IQueryable<float?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<float?>(source, nameof(Queryable.Average), cancellationToken);

    /// <summary>The average of a field over all results.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<double> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, double>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, double>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<double> AverageAsync(
        this IQueryable<double> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<double>(source, nameof(Queryable.Average), cancellationToken);

    /// <summary>The average of a field over all results; null if none has a value.</summary>
    public static Task<double?> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, double?>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, double?>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected; null if there is no value.</summary>
    public static Task<double?> AverageAsync(
        this IQueryable<double?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<double?>(source, nameof(Queryable.Average), cancellationToken);

    /// <summary>The average of a field over all results.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<decimal> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, decimal>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, decimal>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected.</summary>
    /// <exception cref="InvalidOperationException">There is no result.</exception>
    public static Task<decimal> AverageAsync(
        this IQueryable<decimal> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<decimal>(source, nameof(Queryable.Average), cancellationToken);

    /// <summary>The average of a field over all results; null if none has a value.</summary>
    public static Task<decimal?> AverageAsync<T>(
        this IQueryable<T> source, Expression<Func<T, decimal?>> selector,
        CancellationToken cancellationToken = default) =>
        QueryEndings.EndAsync<T, decimal?>(source, nameof(Queryable.Average), selector, cancellationToken);

    /// <summary>The average of what is selected; null if there is no value.</summary>
    public static Task<decimal?> AverageAsync(
        this IQueryable<decimal?> source, CancellationToken cancellationToken = default) =>
        QueryEndings.EndPlainAsync<decimal?>(source, nameof(Queryable.Average), cancellationToken);
}
