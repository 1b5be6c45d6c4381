using System.Linq.Expressions;
using Raven.Client.Documents.Linq;

namespace FastTests.Client;

/// <summary>A key of an order, for the server and for objects alike.</summary>
internal abstract class LinqOrder
{
    internal static readonly LinqOrder[] All =
    [
        Text(x => x.Name), Text(x => x.Nick), Text(x => x.Place!.City), Text(x => x.Id), Of(x => x.Age),
        Of(x => x.Rank), Of(x => x.Big), Of(x => x.Score), Of(x => x.Price), Of(x => x.Active), Of(x => x.Checked),
        Of(x => x.At), Of(x => x.Until), Of(x => x.Place!.Zip),
    ];

    /// <summary>Keys that the server orders as LINQ to objects does, or refuses.</summary>
    internal static readonly LinqOrder[] Risky =
    [
        Of(x => (int)x.Price), Of(x => (int)x.Level), Of(x => x.Level), Of(x => x.Former), Of(x => x.Span),
        Of(x => x.Due), Of(x => x.Mark), Of(x => x.Day), Of(x => x.Weight), Of(x => x.Huge), Of(x => (long)x.Age),
        Of(x => (double)x.Price), Of(x => (object)x.Age), Of(x => -x.Age), Of(x => x.Counts["a"]),
        Of(x => x.Counts["d.e"]), Of(x => (double)x.Weight), Of(x => x.Key), Of(x => x.Not),
        Of(x => x.Sign), Of(x => x.Wait), Of(x => x.Sent), Of(x => x.Clock), Of(x => x.Cost), Of(x => x.Tall),
        Of(x => x.Small), Of(x => (int)x.Small), Of(x => (short)x.Age), Of(x => (long?)x.Rank),
    ];

    /// <summary>The key that no two sales share.</summary>
    internal static readonly LinqOrder Last = Of(x => x.Number);

    internal abstract IRavenQueryable<Sale> Apply(IRavenQueryable<Sale> query, bool isFirst, bool isDescending);

    internal abstract IOrderedEnumerable<Sale> Apply(IEnumerable<Sale> sales, bool isFirst, bool isDescending);

    private static Keyed<TKey> Of<TKey>(Expression<Func<Sale, TKey>> key) => new(key, Comparer<TKey>.Default);

    private static Keyed<string?> Text(Expression<Func<Sale, string?>> key) => new(key, StringComparer.Ordinal);

    private sealed class Keyed<TKey>(Expression<Func<Sale, TKey>> key, IComparer<TKey> comparer) : LinqOrder
    {
        private readonly Func<Sale, TKey> _compiled = NullSafe.Compile(key);

        internal override IRavenQueryable<Sale> Apply(IRavenQueryable<Sale> query, bool isFirst, bool isDescending) =>
            (isFirst, isDescending) switch
            {
                (true, false) => query.OrderBy(key),
                (true, true) => query.OrderByDescending(key),
                (false, false) => query.ThenBy(key),
                _ => query.ThenByDescending(key),
            };

        internal override IOrderedEnumerable<Sale> Apply(IEnumerable<Sale> sales, bool isFirst, bool isDescending) =>
            (isFirst, isDescending) switch
            {
                (true, false) => sales.OrderBy(_compiled, comparer),
                (true, true) => sales.OrderByDescending(_compiled, comparer),
                (false, false) => ((IOrderedEnumerable<Sale>)sales).ThenBy(_compiled, comparer),
                _ => ((IOrderedEnumerable<Sale>)sales).ThenByDescending(_compiled, comparer),
            };
    }
}
