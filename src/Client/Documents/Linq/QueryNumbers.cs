using Raven.Client.Documents.Queries.Facets;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Converts sums and averages that the server has computed to what LINQ returns: a number of the type of the field; 0,
/// null or an error if there was no value.
/// </summary>
internal static class QueryNumbers
{
    /// <summary>The bound of exact doubles: whole numbers between its negative and itself are exact.</summary>
    private const double WholeMax = 1L << 53;

    /// <summary>The requested number.</summary>
    /// <exception cref="InvalidOperationException">It is an average of nothing, and may not be null.</exception>
    /// <exception cref="OverflowException">The number does not fit into the type.</exception>
    internal static TResult Read<TResult>(IEnumerable<FacetResult> facets, bool isSum)
    {
        FacetValue? found = facets.SelectMany(facet => facet.Values).FirstOrDefault(value => value.Count > 0);
        if (!isSum && found is null)
        {
            return default(TResult) is null
                ? default!
                : throw new InvalidOperationException("Sequence contains no elements");
        }

        double number = (isSum ? found?.Sum : found!.Average) ?? 0;
        object value = Type.GetTypeCode(Conversions.PlainOf(typeof(TResult))) switch
        {
            TypeCode.Int32 => checked((int)WholeOf(number)),
            TypeCode.Int64 => WholeOf(number),
            TypeCode.Single => (float)number,
            TypeCode.Decimal => (decimal)number,
            _ => number,
        };
        return (TResult)value;
    }

    private static long WholeOf(double number) => Math.Abs(number) < WholeMax
        ? (long)number
        : throw new OverflowException(
            "The sum is beyond 2^53, where the doubles that the server adds do not tell whole numbers apart: ask for "
            + "the list and add it up.");
}
