using System.Linq.Expressions;
using Raven.Client.Documents.Linq;

namespace FastTests.Client;

/// <summary>Conditions by chance that are easily mistaken on their way to the server: a query with one of them gives
/// what LINQ to objects gives, or is refused.</summary>
internal sealed class RandomRisks(Random random)
{
    internal static readonly char[] Marks = ['a', 'b', 'c', 'd'];

    private readonly RandomPredicates _chance = new(random);

    internal static TimeSpan SpanOf(int number) => TimeSpan.FromHours((number % 30) * 11);

    /// <summary>The same moments with other offsets.</summary>
    internal static DateTimeOffset DueOf(int number) =>
        new DateTimeOffset(2024, 1, 1 + (number % 9), 12, 0, 0, TimeSpan.Zero).ToOffset(
            TimeSpan.FromHours((number % 5) - 2));

    internal static float WeightOf(int number) => (number % 12) / 10f;

    /// <summary>Neighbours that are one and the same double.</summary>
    internal static long HugeOf(int number) => (1L << 53) + number;

    internal Expression<Func<Sale, bool>> Make()
    {
        Expression<Func<Sale, bool>> made = random.Next(8) switch
        {
            7 => Kind(),
            0 => Cast(),
            1 => Wide(),
            2 => Named(),
            3 => Time(),
            4 => Text(),
            5 => Item(),
            _ => Null(),
        };
        return random.Next(4) == 0
            ? Expression.Lambda<Func<Sale, bool>>(Expression.Not(made.Body), made.Parameters)
            : made;
    }

    private Expression<Func<Sale, bool>> Cast()
    {
        int number = random.Next(20);
        int[] numbers = [number, random.Next(20)];
        double half = number + 0.5;
        decimal price = number + 0.5m;
        return random.Next(12) switch
        {
            0 => x => (int)x.Price == number,
            1 => x => (int)x.Score > number,
            2 => x => (long)x.Age == number,
            3 => x => x.Age > half,
            4 => x => numbers.Contains((int)x.Price),
            5 => x => (short)x.Age == number,
            6 => x => (double)x.Price > number,
            7 => x => x.Age < price,
            8 => x => x.Price == price + 0.0000000000000000000001m,
            9 => x => (byte)x.Big == number,
            10 => x => ((int)x.Score).In(numbers),
            _ => x => checked((int)x.Price) == number,
        };
    }

    private Expression<Func<Sale, bool>> Wide()
    {
        long huge = HugeOf(random.Next(80));
        float weight = WeightOf(random.Next(12));
        double wide = random.Next(12) / 10.0;
        double big = random.Next(5) * 1e10;
        return random.Next(10) switch
        {
            0 => x => x.Huge == huge,
            1 => x => x.Huge > huge,
            2 => x => x.Huge.In(huge, huge + 1),
            3 => x => x.Huge > (double)huge,
            4 => x => x.Weight == weight,
            5 => x => x.Weight > weight,
            6 => x => x.Weight > wide,
            7 => x => x.Weight == 0.5,
            8 => x => x.Big > big,
            _ => x => x.Huge != huge,
        };
    }

    private Expression<Func<Sale, bool>> Named()
    {
        char mark = _chance.OneOf(Marks);
        char[] marks = [mark, 'b'];
        SaleLevel level = _chance.Level();
        int number = random.Next(4);
        int[] numbers = [number, 2];
        return random.Next(14) switch
        {
            0 => x => x.Mark == mark,
            1 => x => mark != x.Mark,
            2 => x => x.Mark > mark,
            3 => x => marks.Contains(x.Mark),
            4 => x => x.Mark.In(marks),
            5 => x => x.Mark == 97,
            6 => x => x.Mark.Equals(mark),
            7 => x => (int)x.Level == number,
            8 => x => (long)x.Level != number,
            9 => x => numbers.Contains((int)x.Level),
            10 => x => x.Level >= level,
            11 => x => (int?)x.Former == number,
            12 => x => x.Level.Equals(level),
            _ => x => x.Level == x.Former,
        };
    }

    private Expression<Func<Sale, bool>> Time()
    {
        TimeSpan span = SpanOf(random.Next(30));
        DateTimeOffset due = DueOf(random.Next(80));
        DateOnly day = DateOnly.FromDateTime(_chance.Day());
        return random.Next(10) switch
        {
            0 => x => x.Span == span,
            1 => x => x.Span > span,
            2 => x => x.Span.In(span, TimeSpan.FromDays(2)),
            3 => x => x.Due == due,
            4 => x => x.Due > due,
            5 => x => x.Due.In(due),
            6 => x => x.At > due,
            7 => x => x.Day > day,
            8 => x => x.Day == day,
            _ => x => x.Until - x.At > span,
        };
    }

    private Expression<Func<Sale, bool>> Text()
    {
        string code = _chance.OneOf(RandomPredicates.Codes);
        string[] codes = [code, _chance.OneOf(RandomPredicates.Codes)];
        string tag = _chance.OneOf(RandomPredicates.Tags);
        string product = _chance.OneOf(RandomPredicates.Products);
        return random.Next(11) switch
        {
            0 => x => x.Code.Equals(code, StringComparison.Ordinal),
            1 => x => x.Code.Equals(code, StringComparison.OrdinalIgnoreCase),
            2 => x => x.Code.StartsWith(code.Substring(0, 1), StringComparison.Ordinal),
            3 => x => x.Code.EndsWith(code.Substring(1), StringComparison.OrdinalIgnoreCase),
            4 => x => codes.Contains(x.Code, StringComparer.Ordinal),
            5 => x => codes.Contains(x.Code, StringComparer.OrdinalIgnoreCase),
            6 => x => string.Equals(x.Code, code, StringComparison.Ordinal),
            7 => x => x.Tags.Contains(tag, StringComparer.Ordinal),
            8 => x => x.Lines.Any(line => line.Product.Equals(product, StringComparison.Ordinal)),
            9 => x => x.Code.StartsWith(code, StringComparison.InvariantCulture),
            _ => x => x.Name.Trim('a') == "nn",
        };
    }

    private Expression<Func<Sale, bool>> Item()
    {
        int number = random.Next(6);
        string name = _chance.OneOf(RandomPredicates.Names);
        return random.Next(13) switch
        {
            0 => x => x.Lines.Any(line => x.Age == number),
            1 => x => x.Lines.Any(line => line.Quantity == x.Rank),
            2 => x => x.Lines.Any(line => x.Active),
            3 => x => x.Lines.Any(line => line.Id == null),
            4 => x => x.Tags.Contains(null!),
            5 => x => x.Lines.Select(line => x.Name).Contains(name),
            6 => x => x.Lines.Any(line => line.Quantity == (long)number),
            7 => x => x.Lines.Any(line => (byte)line.Quantity == number),
            8 => x => x.Counts["a"] == number,
            9 => x => x.Counts["b c"] > number,
            10 => x => x.Not == number,
            11 => x => x.Not.In(number, 2),
            _ => x => x.Counts["d.e"] == number,
        };
    }

    private Expression<Func<Sale, bool>> Kind()
    {
        char? sign = random.Next(3) == 0 ? null : _chance.OneOf(Marks);
        TimeSpan? wait = random.Next(3) == 0 ? null : SpanOf(random.Next(30));
        DateTimeOffset? sent = random.Next(2) == 0 ? null : DueOf(random.Next(80));
        var clock = new TimeOnly(random.Next(12), 30, 0, random.Next(3) * 20);
        decimal? cost = random.Next(3) == 0 ? null : random.Next(9) + 0.25m;
        int number = random.Next(9);
        return random.Next(17) switch
        {
            0 => x => x.Sign == sign,
            1 => x => x.Sign != sign,
            2 => x => x.Sign < sign,
            3 => x => x.Wait == wait,
            4 => x => x.Wait != wait,
            5 => x => x.Wait <= wait,
            6 => x => x.Sent == sent,
            7 => x => x.Sent >= sent,
            8 => x => x.Clock == clock,
            9 => x => x.Clock > clock,
            10 => x => x.Cost == cost,
            11 => x => x.Cost >= cost,
            12 => x => x.Tall > (ulong)number,
            13 => x => x.Small == number,
            14 => x => x.Small > number - 4.5,
            15 => x => (ushort)x.Small == number,
            _ => x => (long)x.Tall == number,
        };
    }

    private Expression<Func<Sale, bool>> Null()
    {
        int? none = null;
        string? text = random.Next(2) == 0 ? null : "a";
        SaleLine? nothing = null;
        DateTime? never = null;
        return random.Next(9) switch
        {
            0 => x => x.Rank <= none,
            1 => x => !(x.Rank >= none),
            2 => x => x.Rank == none,
            3 => x => x.Name == nothing!.Product,
            4 => x => x.Nick!.In("ace", null!),
            5 => x => text == null || x.Nick!.StartsWith(text),
            6 => x => none.HasValue && x.Age == none.Value,
            7 => x => x.Age == none!.Value,
            _ => x => x.Until > never,
        };
    }
}
