using System.Linq.Expressions;
using Raven.Client.Documents.Linq;

namespace FastTests.Client;

/// <summary>Conditions on sales by chance: all that the client translates, joined and negated.</summary>
internal sealed class RandomPredicates(Random random)
{
    internal static readonly string[] Names = ["ann", "anton", "bob", "cid", "dan", "eve"];
    internal static readonly string[] Nicks = ["", "ace", "bee", "cat"];
    internal static readonly string[] Codes = ["Ab", "aB", "AB", "cd", "CD"];
    internal static readonly string[] Cities = ["bonn", "oslo", "rome"];
    internal static readonly string[] Countries = ["it", "no"];
    internal static readonly string[] Tags = ["x", "xy", "y", "z"];
    internal static readonly string[] Products = ["pea", "rice", "tea"];
    internal static readonly string[] Parts = ["bag", "box", "lid"];
    internal static readonly DateTime FirstDay = new(2024, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    /// <summary>A condition.</summary>
    /// <param name="depth">How deep it may be nested.</param>
    internal Expression<Func<Sale, bool>> Make(int depth)
    {
        if (depth == 0 || random.Next(3) == 0)
        {
            return Leaf();
        }

        Expression<Func<Sale, bool>> left = Make(depth - 1);
        if (random.Next(4) == 0)
        {
            return Expression.Lambda<Func<Sale, bool>>(Expression.Not(left.Body), left.Parameters);
        }

        Expression<Func<Sale, bool>> right = Make(depth - 1);
        Expression other = new Replacer(right.Parameters[0], left.Parameters[0]).Visit(right.Body);
        Expression both = random.Next(6) switch
        {
            0 => Expression.And(left.Body, other),
            1 => Expression.Or(left.Body, other),
            2 or 3 => Expression.AndAlso(left.Body, other),
            _ => Expression.OrElse(left.Body, other),
        };
        return Expression.Lambda<Func<Sale, bool>>(both, left.Parameters);
    }

    /// <summary>A condition that distinguishes upper and lower case.</summary>
    internal Expression<Func<Sale, bool>> MakeExact()
    {
        string code = OneOf(Codes);
        string[] some = [code, OneOf(Codes)];
        return random.Next(5) switch
        {
            0 => x => x.Code == code,
            1 => x => x.Code != code,
            2 => x => x.Code.In(some),
            3 => x => x.Code.StartsWith(code.Substring(0, 1)),
            _ => x => x.Code == code || x.Name == "ann",
        };
    }

    internal DateTime Day() => FirstDay.AddHours(random.Next(40) * 12);

    internal T OneOf<T>(T[] values) => values[random.Next(values.Length)];

    internal SaleLevel Level() => (SaleLevel)random.Next(3);

    private Expression<Func<Sale, bool>> Leaf() => random.Next(6) switch
    {
        0 => Number(),
        1 => NullableNumber(),
        2 => Text(),
        3 => NestedText(),
        4 => List(),
        _ => Other(),
    };

    private Expression<Func<Sale, bool>> Number()
    {
        int age = random.Next(50);
        int[] ages = [.. Enumerable.Range(0, random.Next(4)).Select(_ => random.Next(50))];
        long big = random.Next(5) * 10_000_000_000;
        double score = random.Next(80) / 4.0;
        decimal price = random.Next(20) + 0.5m;
        return random.Next(12) switch
        {
            0 => x => x.Age > age,
            1 => x => x.Age <= age,
            2 => x => age < x.Age,
            3 => x => age >= x.Age,
            4 => x => x.Age != age,
            5 => x => x.Age.In(ages),
            6 => x => ages.Contains(x.Age),
            7 => x => x.Age.Equals(age),
            8 => x => x.Big > big,
            9 => x => x.Score < score,
            10 => x => x.Price >= price,
            _ => x => x.Big == big || x.Score == score,
        };
    }

    private Expression<Func<Sale, bool>> NullableNumber()
    {
        int rank = random.Next(1, 8);
        int? maybe = random.Next(2) == 0 ? null : rank;
        return random.Next(9) switch
        {
            0 => x => x.Rank == rank,
            1 => x => x.Rank != rank,
            2 => x => x.Rank > rank,
            3 => x => x.Rank <= rank,
            4 => x => x.Rank == maybe,
            5 => x => x.Rank != maybe,
            6 => x => x.Rank.HasValue,
            7 => x => x.Rank!.Value >= rank,
            _ => x => x.Place!.Zip > rank,
        };
    }

    private Expression<Func<Sale, bool>> Text()
    {
        string name = OneOf(Names);
        string? nick = random.Next(4) == 0 ? null : OneOf(Nicks);
        string[] some = [.. Names.Where(_ => random.Next(3) == 0)];
        return random.Next(14) switch
        {
            0 => x => x.Name == name,
            1 => x => name == x.Name,
            2 => x => x.Name != name,
            3 => x => x.Name.StartsWith(name.Substring(0, 2)),
            4 => x => x.Name.EndsWith(name.Substring(1)),
            5 => x => x.Name.Equals(name),
            6 => x => x.Name.In(some),
            7 => x => some.Contains(x.Name),
            8 => x => x.Nick == nick,
            9 => x => x.Nick != nick,
            10 => x => x.Nick == null,
            11 => x => x.Nick != null,
            12 => x => string.IsNullOrEmpty(x.Nick),
            _ => x => x.Nick!.StartsWith('a'),
        };
    }

    private Expression<Func<Sale, bool>> NestedText()
    {
        string city = OneOf(Cities);
        string country = OneOf(Countries);
        string[] some = [city, OneOf(Cities)];
        string id = $"sales/{random.Next(80):D3}";
        return random.Next(7) switch
        {
            0 => x => x.Place!.City == city,
            1 => x => x.Place!.City != city,
            2 => x => x.Place!.City.In(some),
            3 => x => x.Place!.Country!.Name == country,
            4 => x => x.Place!.City.StartsWith("ro"),
            5 => x => x.Id == id,
            _ => x => x.Id != id,
        };
    }

    private Expression<Func<Sale, bool>> List()
    {
        string tag = OneOf(Tags);
        string[] tags = [.. Tags.Where(_ => random.Next(3) == 0)];
        string product = OneOf(Products);
        string[] products = [product, OneOf(Products)];
        string part = OneOf(Parts);
        int quantity = random.Next(6);
        return random.Next(13) switch
        {
            0 => x => x.Tags.Contains(tag),
            1 => x => x.Tags.ContainsAny(tags),
            2 => x => x.Tags.ContainsAll(tags),
            3 => x => x.Tags.Any(it => it == tag),
            4 => x => x.Tags.Any(it => it.StartsWith('x')),
            5 => x => x.Lines.Any(line => line.Product == product),
            6 => x => x.Lines.Any(line => line.Quantity > quantity),
            7 => x => x.Lines.Any(line => line.Product.EndsWith("ea")),
            8 => x => x.Lines.Any(line => line.Product.In(products)),
            9 => x => x.Lines.Any(line => line.Parts.Any(it => it == part)),
            10 => x => x.Lines.Any(line => line.Parts.Contains(part)),
            11 => x => x.Lines.Any(line => line.Id == tag),
            _ => x => x.Lines.Select(line => line.Product).Contains(product),
        };
    }

    private Expression<Func<Sale, bool>> Other()
    {
        bool flag = random.Next(2) == 0;
        SaleLevel level = Level();
        List<SaleLevel> levels = [level, Level()];
        DateTime day = Day();
        Guid key = KeyOf(random.Next(80));
        return random.Next(20) switch
        {
            0 => x => x.Active,
            1 => x => !x.Active,
            2 => x => x.Active == flag,
            3 => x => x.Checked == flag,
            4 => x => x.Checked == null,
            5 => x => x.Checked != flag,
            6 => x => x.Level == level,
            7 => x => x.Level != level,
            8 => x => !x.Level.In(level),
            9 => x => x.Former == level,
            10 => x => x.Former == null,
            11 => x => x.Level.In(level, SaleLevel.Beta),
            12 => x => levels.Contains(x.Level),
            13 => x => x.At > day,
            14 => x => day >= x.At,
            15 => x => x.Until == null,
            16 => x => x.Until < day,
            17 => x => x.Key == key,
            18 => x => flag,
            _ => x => (flag && x.Age > 20) || x.At == day,
        };
    }

    internal static Guid KeyOf(int number) => new(number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

    private sealed class Replacer(ParameterExpression from, ParameterExpression to) : ExpressionVisitor
    {
        protected override Expression VisitParameter(ParameterExpression node) => node == from ? to : node;
    }
}
