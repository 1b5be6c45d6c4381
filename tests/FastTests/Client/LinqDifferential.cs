using System.Linq.Expressions;
using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions.Documents.Patching;

namespace FastTests.Client;

/// <summary>Queries by chance, asked of the server and of LINQ to objects over the same sales.</summary>
/// <param name="seed">Makes the same sales and the same queries again.</param>
internal sealed class LinqDifferential(int seed)
{
    private const int SaleCount = 80;

    private static readonly string[] Fields =
    [
        "Number", "Name", "Nick", "Code", "Age", "Rank", "Big", "Score", "Price", "Active", "Checked", "Level",
        "Former", "At", "Until", "Key", "Place.City", "Place.Zip", "Place.Country.Name", "Tags", "Tags[]",
        "Mark", "Span", "Day", "Weight", "Huge", "Not", "Sign", "Wait", "Sent", "Clock", "Cost",
        "Tall", "Small", "Counts.a", "Counts.b c",
        "Lines[].Product", "Lines[].Quantity", "Lines[].Id", "Lines[].Parts", "Lines[].Parts[]",
    ];

    private readonly Random _random = new(seed);

    /// <summary>Stores sales and asks so many queries.</summary>
    internal async Task RunAsync(IDocumentStore store, int queries)
    {
        List<Sale> sales = await StoreAsync(store);
        for (int number = 0; number < queries; number++)
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            IRavenQueryable<Sale> query = session.Query<Sale>().Customize(how => how.WaitForNonStaleResults());
            var asked = new Asked(seed, number, query);
            try
            {
                await AskAsync(asked, sales);
            }
            catch (Exception e) when (!e.Message.StartsWith("seed ", StringComparison.Ordinal))
            {
                throw new InvalidOperationException($"{asked}: {e.Message}", e);
            }
        }
    }

    private async Task AskAsync(Asked asked, List<Sale> sales)
    {
        switch (_random.Next(13))
        {
            case 0:
                await asked.CompareAsync(OneOf(LinqShapes.Groups), sales);
                return;
            case 1:
                Filter(asked, ref sales);
                await asked.CompareAsync(OneOf(LinqShapes.Sets), sales);
                return;
            case 2 or 3:
                Filter(asked, ref sales);
                IEnumerable<Sale> page = Page(asked, Order(asked, sales));
                await asked.CompareAsync(OneOf(LinqShapes.Projections), page);
                return;
            case 10 or 11 or 12:
                await RiskAsync(asked, sales);
                return;
            case 4 or 5:
                Filter(asked, ref sales);
                End(asked, Order(asked, sales));
                return;
            default:
                Filter(asked, ref sales);
                await asked.CompareListAsync(Page(asked, Order(asked, sales)));
                return;
        }
    }

    /// <summary>What LINQ to objects gives or the exception that is documented, and nothing else.</summary>
    private async Task RiskAsync(Asked asked, List<Sale> sales)
    {
        try
        {
            switch (_random.Next(6))
            {
                case 0:
                    LinqOrder order = OneOf(LinqOrder.Risky);
                    bool isDescending = _random.Next(2) == 0;
                    asked.Query = LinqOrder.Last.Apply(order.Apply(asked.Query, true, isDescending), false, false);
                    await asked.CompareListAsync(
                        LinqOrder.Last.Apply(order.Apply(sales, true, isDescending), false, false));
                    return;
                case 1:
                    await asked.CompareAsync(OneOf(LinqRisks.Projections), Page(asked, Order(asked, sales)));
                    return;
                case 2:
                    await asked.CompareAsync(OneOf(LinqRisks.Groups), sales);
                    return;
                default:
                    Expression<Func<Sale, bool>> risk = new RandomRisks(_random).Make();
                    asked.Query = _random.Next(6) == 0 ? asked.Query.Filter(risk) : asked.Query.Where(risk);
                    await asked.CompareListAsync(Order(asked, sales.Where(NullSafe.Compile(risk))));
                    return;
            }
        }
        catch (Exception e) when (e is NotSupportedException
            || (e is JavaScriptException && e.Message.Contains("beyond 2^53", StringComparison.Ordinal)))
        {
            // Refused as documented: that each of them is named is what RqlRefusalTests ask.
        }
    }

    private T OneOf<T>(T[] values) => values[_random.Next(values.Length)];

    /// <summary>One or two conditions, or none.</summary>
    private void Filter(Asked asked, ref List<Sale> sales)
    {
        var predicates = new RandomPredicates(_random);
        for (int i = _random.Next(7) switch { 0 => 0, 1 => 2, _ => 1 }; i > 0; i--)
        {
            bool isExact = _random.Next(10) == 0;
            Expression<Func<Sale, bool>> predicate =
                isExact ? predicates.MakeExact() : predicates.Make(_random.Next(4));
            asked.Query = isExact ? asked.Query.Where(predicate, exact: true)
                : _random.Next(8) == 0 ? asked.Query.Filter(predicate) : asked.Query.Where(predicate);
            sales = [.. sales.Where(NullSafe.Compile(predicate))];
        }
    }

    private IOrderedEnumerable<Sale> Order(Asked asked, IEnumerable<Sale> sales)
    {
        int keys = _random.Next(3);
        for (int i = 0; i <= keys; i++)
        {
            LinqOrder order = i == keys ? LinqOrder.Last : OneOf(LinqOrder.All);
            bool isDescending = _random.Next(2) == 0;
            asked.Query = order.Apply(asked.Query, i == 0, isDescending);
            sales = order.Apply(sales, i == 0, isDescending);
        }

        return (IOrderedEnumerable<Sale>)sales;
    }

    private IEnumerable<Sale> Page(Asked asked, IEnumerable<Sale> sales)
    {
        if (_random.Next(2) == 0)
        {
            int skip = _random.Next(12);
            asked.Query = asked.Query.Skip(skip);
            sales = sales.Skip(skip);
        }

        if (_random.Next(2) == 0)
        {
            int take = _random.Next(15);
            asked.Query = asked.Query.Take(take);
            sales = sales.Take(take);
        }

        return sales;
    }

    /// <summary>A call that makes one value of the results, with a condition of its own or without.</summary>
    private void End(Asked asked, IEnumerable<Sale> sales)
    {
        Expression<Func<Sale, bool>> predicate = new RandomPredicates(_random).Make(1);
        Func<Sale, bool> compiled = NullSafe.Compile(predicate);
        IRavenQueryable<Sale> query = asked.Query;
        bool isPlain = _random.Next(2) == 0;
        sales = isPlain ? Page(asked, sales) : sales.Where(compiled);
        IQueryable<Sale> paged = asked.Query;
        switch (_random.Next(7))
        {
            case 0:
                asked.Compare(() => sales.First(), () => isPlain ? paged.First() : query.First(predicate));
                break;
            case 1:
                asked.Compare(
                    () => sales.FirstOrDefault(),
                    () => isPlain ? paged.FirstOrDefault() : query.FirstOrDefault(predicate));
                break;
            case 2:
                asked.Compare(() => sales.Single(), () => isPlain ? paged.Single() : query.Single(predicate));
                break;
            case 3:
                asked.Compare(
                    () => sales.SingleOrDefault(),
                    () => isPlain ? paged.SingleOrDefault() : query.SingleOrDefault(predicate));
                break;
            case 4:
                asked.Compare(() => sales.Any(), () => isPlain ? paged.Any() : query.Any(predicate));
                break;
            case 5:
                asked.Compare(() => sales.Count(), () => isPlain ? paged.Count() : query.Count(predicate));
                break;
            default:
                asked.Compare(() => sales.LongCount(), () => isPlain ? paged.LongCount() : query.LongCount(predicate));
                break;
        }
    }

    private async Task<List<Sale>> StoreAsync(IDocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<Sale> sales = [.. Enumerable.Range(0, SaleCount).Select(Make)];
        foreach (Sale sale in sales)
        {
            await session.StoreAsync(sale, sale.Id!);
        }

        await session.SaveChangesAsync();
        await IndexAsync(session);
        return sales;
    }

    /// <summary>Lets one index have all fields: each query would extend it by its own ones otherwise.</summary>
    private static async Task IndexAsync(IAsyncDocumentSession session)
    {
        IAsyncDocumentQuery<Sale> query = session.Advanced.AsyncDocumentQuery<Sale>().WaitForNonStaleResults();
        foreach (string field in Fields)
        {
            query = query.WhereExists(field);
        }

        await query.CountAsync();
    }

    private Sale Make(int number)
    {
        var chance = new RandomPredicates(_random);
        return new Sale
        {
            Id = $"sales/{number:D3}",
            Number = number,
            Name = chance.OneOf(RandomPredicates.Names),
            Nick = Maybe() ? chance.OneOf(RandomPredicates.Nicks) : null,
            Code = chance.OneOf(RandomPredicates.Codes),
            Age = _random.Next(50),
            Rank = Maybe() ? _random.Next(8) : null,
            Big = _random.Next(5) * 10_000_000_000,
            Score = _random.Next(80) / 4.0,
            Price = _random.Next(20) + 0.5m,
            Active = Maybe(),
            Checked = Maybe() ? Maybe() : null,
            Level = chance.Level(),
            Former = Maybe() ? chance.Level() : null,
            At = chance.Day(),
            Until = Maybe() ? chance.Day() : null,
            Key = RandomPredicates.KeyOf(number),
            Mark = chance.OneOf(RandomRisks.Marks),
            Span = RandomRisks.SpanOf(_random.Next(30)),
            Due = RandomRisks.DueOf(_random.Next(80)),
            Day = DateOnly.FromDateTime(chance.Day()),
            Weight = RandomRisks.WeightOf(_random.Next(12)),
            Huge = RandomRisks.HugeOf(number),
            Not = _random.Next(6),
            Sign = Maybe() ? chance.OneOf(RandomRisks.Marks) : null,
            Wait = Maybe() ? RandomRisks.SpanOf(_random.Next(30)) : null,
            Sent = Maybe() ? RandomRisks.DueOf(_random.Next(80)) : null,
            Clock = new TimeOnly(_random.Next(12), 30, 0, _random.Next(3) * 20),
            Cost = Maybe() ? _random.Next(9) + 0.25m : null,
            Tall = (ulong)_random.Next(9),
            Small = (short)(_random.Next(9) - 4),
            Counts = new() { ["a"] = _random.Next(6), ["b c"] = _random.Next(6), ["d.e"] = _random.Next(6) },
            Place = _random.Next(5) == 0 ? null : PlaceOf(chance),
            Tags = [.. RandomPredicates.Tags.Where(_ => Maybe())],
            Lines = [.. Enumerable.Range(0, _random.Next(4)).Select(_ => LineOf(chance))],
        };
    }

    private SalePlace PlaceOf(RandomPredicates chance) => new()
    {
        City = chance.OneOf(RandomPredicates.Cities),
        Zip = Maybe() ? _random.Next(8) : null,
        Country = Maybe() ? new SaleCountry { Name = chance.OneOf(RandomPredicates.Countries) } : null,
    };

    private SaleLine LineOf(RandomPredicates chance) => new()
    {
        Id = chance.OneOf(RandomPredicates.Tags),
        Product = chance.OneOf(RandomPredicates.Products),
        Quantity = _random.Next(6),
        Parts = [.. RandomPredicates.Parts.Where(_ => Maybe())],
    };

    private bool Maybe() => _random.Next(2) == 0;

    /// <summary>One query, and its description.</summary>
    private sealed class Asked(int seed, int number, IRavenQueryable<Sale> query)
    {
        internal IRavenQueryable<Sale> Query { get; set; } = query;

        public override string ToString()
        {
            string text;
            try
            {
                text = Query.ToString()!;
            }
            catch (NotSupportedException)
            {
                text = Query.Expression.ToString();
            }

            return $"seed {seed} (DEV_LINQ_SEED={seed} asks the same again), query {number}, {text}";
        }

        internal async Task CompareAsync(LinqShapes.Shape shape, IEnumerable<Sale> found)
        {
            (string expected, string actual) = await shape(Query, found);
            Require(expected, actual);
        }

        internal async Task CompareListAsync(IEnumerable<Sale> found)
        {
            Sale[] expected = [.. found];
            Require(Numbers(expected), Numbers(await Query.ToListAsync()));
            Require($"{expected.Length} {expected.Length > 0}", $"{await Query.CountAsync()} {await Query.AnyAsync()}");
        }

        internal void Compare<T>(Func<T> expected, Func<T> actual) => Require(Outcome(expected), Outcome(actual));

        private static string Numbers(IEnumerable<Sale> sales) => string.Join(' ', sales.Select(sale => sale.Number));

        private static string Outcome<T>(Func<T> get)
        {
            try
            {
                return LinqShapes.Text(get());
            }
            catch (InvalidOperationException)
            {
                return "there is none, or more than one";
            }
        }

        private void Require(string expected, string actual)
        {
            if (expected != actual)
            {
                throw new InvalidOperationException($"{this}\nexpected {expected}\nactual   {actual}");
            }
        }
    }
}
