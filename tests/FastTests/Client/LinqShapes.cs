using System.Linq.Expressions;
using System.Text.Json;
using Raven.Client.Documents.Linq;

namespace FastTests.Client;

/// <summary>What queries make of sales, both ways: asked of the server, and of the objects themselves. The results are
/// compared as JSON.</summary>
internal static class LinqShapes
{
    /// <summary>Makes something of a query and of the objects that it finds, in the same order.</summary>
    internal delegate Task<(string Expected, string Actual)> Shape(
        IRavenQueryable<Sale> query, IEnumerable<Sale> found);

    private static readonly string[] Greeting = ["hello"];

    internal static readonly Shape[] Projections =
    [
        Of(x => new { x.Name, x.Age, x.Rank, x.Level, x.Former, x.At, x.Until, x.Price, x.Active, x.Checked, x.Key }),
        Of(x => new { Town = x.Place!.City, Land = x.Place!.Country!.Name, x.Tags, Key = x.Id }),
        Of(x => new { x.Lines, x.Place }),
        Of(x => new SaleRow { Title = x.Name, Total = x.Age }),
        Of(x => new SaleRow { Title = x.Name + "!", Total = x.Age + x.Number }),
        Of(x => x.Name),
        Of(x => x.Rank),
        Of(x => x.Level),
        Of(x => x.At),
        Of(x => x.Id),
        Of(x => x.Place!.City),
        Of(x => x.Age * 2),
        Of(x => new
        {
            Sum = x.Age + 1, Product = x.Age * x.Number, Less = x.Age - 7, Half = x.Score / 2, Whole = x.Age / 4,
            Rest = x.Age % 5, Minus = -x.Age, Cut = (int)x.Score, Wide = (double)x.Age / 8,
        }),
        Of(x => new
        {
            More = x.Rank + 1, Twice = x.Rank * x.Age, Minus = -x.Rank, Or = x.Rank ?? -1, Known = x.Rank.HasValue,
            Above = x.Rank > 3, Below = x.Rank < 3, Same = x.Rank == 3, Other = x.Rank != 3, Missing = x.Rank == null,
        }),
        Of(x => new
        {
            Both = x.Name + "/" + x.Nick, With = x.Name + x.Age, Up = x.Name.ToUpper(), Low = x.Code.ToLower(),
            x.Name.Length, Has = x.Name.Contains("nn"), Begins = x.Name.StartsWith('a'), Ends = x.Name.EndsWith("ob"),
            Nick = x.Nick ?? "none", Loud = x.Nick!.ToUpper(), Cut = (" " + x.Name).Trim(),
            Hello = Greeting[0] + x.Name,
        }),
        Of(x => new
        {
            Kind = x.Active ? "a" : "b", High = x.Level == SaleLevel.Beta, Low = x.Level != SaleLevel.Beta,
            Was = x.Former == SaleLevel.Alpha, Old = (x.Age > 20 && !x.Active) || x.Name == "ann",
            Nested = new { x.Age, Deep = new { x.Name, Next = x.Number + 1 } }, Town = x.Place!.City + "!",
        }),
        Of(x => new
        {
            x.Tags.Count, Lines = x.Lines.Count(), Sum = x.Lines.Sum(line => line.Quantity),
            Any = x.Lines.Any(line => line.Quantity > 3), All = x.Lines.All(line => line.Quantity > 1),
            Many = x.Lines.Count(line => line.Quantity > 2), None = !x.Tags.Any(), HasX = x.Tags.Contains("x"),
            Products = x.Lines.Where(line => line.Quantity > 1).Select(line => line.Product).ToList(),
            Sizes = x.Lines.Select(line => new { line.Product, line.Id, Of = x.Id, line.Parts.Count }).ToArray(),
        }),
    ];

    /// <summary>Shapes whose results come in any order.</summary>
    internal static readonly Shape[] Sets =
    [
        Distinct(x => x.Name),
        Distinct(x => x.Level),
        Distinct(x => x.Age),
        Distinct(x => new { x.Name, x.Active }),
    ];

    internal static readonly Shape[] Groups =
    [
        Group(x => x.Name, all => new { all.Key, Count = all.Count(), Sum = all.Sum(x => x.Age) }),
        Group(x => x.Level, all => new { Of = all.Key, Count = all.LongCount(), Sum = all.Sum(x => x.Score) }),
        Group(x => x.Active, all => new { all.Key, Count = all.Count() }),
        Group(x => x.Place!.City, all => new { Town = all.Key, Sum = all.Sum(x => x.Number) }),
        Group(
            x => new { x.Name, x.Level },
            all => new { all.Key.Name, Of = all.Key.Level, Count = all.Count(), Sum = all.Sum(x => x.Big) }),
        Group(
            x => new { Town = x.Place!.City, x.Active },
            all => new { all.Key.Town, all.Key.Active, N = all.Count() }),
    ];

    internal static string Text<T>(T value) => JsonSerializer.Serialize(value);

    internal static Shape Of<T>(Expression<Func<Sale, T>> selector) => async (query, found) =>
        (Text(found.Select(NullSafe.Compile(selector)).ToList()), Text(await query.Select(selector).ToListAsync()));

    private static Shape Distinct<T>(Expression<Func<Sale, T>> selector) => async (query, found) => (
        Sorted(found.Select(NullSafe.Compile(selector)).Distinct()),
        Sorted(await query.Select(selector).Distinct().ToListAsync()));

    internal static Shape Group<TKey, T>(
        Expression<Func<Sale, TKey>> key, Expression<Func<IGrouping<TKey, Sale>, T>> selector) =>
        async (query, found) => (
            Sorted(found.GroupBy(NullSafe.Compile(key)).Select(selector.Compile())),
            Sorted(await query.GroupBy(key).Select(selector).ToListAsync()));

    private static string Sorted<T>(IEnumerable<T> values) =>
        string.Join('\n', values.Select(Text).Order(StringComparer.Ordinal));
}
