namespace FastTests.Client;

/// <summary>Shapes of results that are easily mistaken on their way to the server: each gives what LINQ to objects
/// gives, or is refused.</summary>
internal static class LinqRisks
{
    private static readonly TimeSpan Day = TimeSpan.FromDays(1);

    internal static readonly LinqShapes.Shape[] Projections =
    [
        LinqShapes.Of(x => new { x.Mark, x.Span, x.Due, x.Weight, x.Huge, x.Day, x.Counts }),
        LinqShapes.Of(x => new { x.Huge, Next = x.Age + 1 }),
        LinqShapes.Of(x => new { Next = x.Huge + 1 }),
        LinqShapes.Of(x => new { x.Big, Next = x.Age + 1, More = x.Big + x.Age, Text = x.Name + x.Big }),
        LinqShapes.Of(x => new { x.Mark, x.Span, x.Due, x.Day, Next = x.Age + 1 }),
        LinqShapes.Of(x => new { A = x.Mark == 'a', B = 'b' != x.Mark }),
        LinqShapes.Of(x => new { A = x.Mark > 'b' }),
        LinqShapes.Of(x => new { A = (int)x.Mark }),
        LinqShapes.Of(x => new { A = (int)x.Level }),
        LinqShapes.Of(x => new { A = (byte)x.Age }),
        LinqShapes.Of(x => new { A = (int)x.Price, B = (long)x.Score }),
        LinqShapes.Of(x => new { A = (double)x.Weight }),
        LinqShapes.Of(x => new { A = x.Weight * 2 }),
        LinqShapes.Of(x => new { A = x.Span > Day }),
        LinqShapes.Of(x => new { A = x.Span == Day }),
        LinqShapes.Of(x => new { A = x.Until - x.At }),
        LinqShapes.Of(x => new { A = x.At + x.Span }),
        LinqShapes.Of(x => new { A = x.Due > DateTimeOffset.UnixEpoch }),
        LinqShapes.Of(x => new { A = x.Due == RandomRisks.DueOf(3) }),
        LinqShapes.Of(x => new { A = x.At > RandomPredicates.FirstDay.AddDays(5) }),
        LinqShapes.Of(x => new { A = x.Name.Trim('a') }),
        LinqShapes.Of(x => new { A = x.Code.StartsWith("Ab", StringComparison.Ordinal) }),
        LinqShapes.Of(x => new { A = x.Code.StartsWith("Ab", StringComparison.OrdinalIgnoreCase) }),
        LinqShapes.Of(x => new { x.Counts.Count }),
        LinqShapes.Of(x => new { A = x.Counts["d.e"], B = x.Counts["a"] + 1 }),
        LinqShapes.Of(x => new { A = x.Lines.Sum(line => (long)line.Quantity) }),
        LinqShapes.Of(x => new { A = x.Lines.Any(line => line.Quantity > x.Age) }),
        LinqShapes.Of(x => (int)x.Price),
        LinqShapes.Of(x => (long)x.Age),
        LinqShapes.Of(x => x.Huge),
        LinqShapes.Of(x => new { x.Sign, x.Wait, x.Sent, x.Clock, x.Cost, x.Tall, x.Small }),
        LinqShapes.Of(x => new { A = x.Sign == 'a', B = x.Sign == null, C = x.Wait == null, D = x.Sent == null }),
        LinqShapes.Of(x => new { A = x.Wait > Day }),
        LinqShapes.Of(x => new { A = x.Clock > new TimeOnly(6, 0), B = x.Tall + 1, C = x.Small * 2, D = x.Cost > 3 }),
        LinqShapes.Of(x => new { x.Not, True = x.Not }),
        LinqShapes.Of(x => new { x.Not, Distinct = x.Not + 1 }),
    ];

    internal static readonly LinqShapes.Shape[] Groups =
    [
        LinqShapes.Group(x => (int)x.Price, all => new { all.Key, N = all.Count() }),
        LinqShapes.Group(x => x.Due, all => new { N = all.Count() }),
        LinqShapes.Group(x => x.Span, all => new { all.Key, N = all.Count() }),
        LinqShapes.Group(x => x.Mark, all => new { all.Key, Sum = all.Sum(x => x.Score) }),
        LinqShapes.Group(x => x.Name, all => new { all.Key, Sum = all.Sum(x => (int)x.Price) }),
        LinqShapes.Group(x => x.Name, all => new { all.Key, Sum = all.Sum(x => (long)x.Age) }),
        LinqShapes.Group(x => x.Name, all => new { all.Key.Length, N = all.Count() }),
        LinqShapes.Group(x => x.Level, all => new { Number = (int)all.Key, N = all.Count() }),
        LinqShapes.Group(x => x.Not, all => new { all.Key, Not = all.Sum(x => x.Not) }),
        LinqShapes.Group(x => x.Day, all => new { all.Key, N = all.Count() }),
    ];
}
