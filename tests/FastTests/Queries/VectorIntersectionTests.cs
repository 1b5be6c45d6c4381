using System.Globalization;

namespace FastTests.Queries;

/// <summary>
/// Conditions on vectors in <c>intersect()</c>: each is met by the nearest entries of all there are, whatever stands
/// beside it.
/// </summary>
public sealed class VectorIntersectionTests
{
    [Theory]
    [InlineData("from s in docs.Shirts from t in s.Types select new { s.Maker, t.Color, V = CreateVector(t.V) }")]
    [InlineData("map('Shirts', s => s.Types.map(t => ({ Maker: s.Maker, Color: t.Color, V: createVector(t.V) })))")]
    public Task The_nearest_vectors_in_an_intersection_are_those_of_the_whole_index(string map) =>
        new VectorRun(seed: 21).RunAsync(map);

    private static HashSet<Entry> Nearest(IEnumerable<Entry> entries, double[] wanted, double least, int count) =>
    [
        .. entries.Where(entry => entry.Vector is not null && Cosine(entry.Vector, wanted) >= least)
            .OrderByDescending(entry => Cosine(entry.Vector!, wanted)).Take(count),
    ];

    private static double Cosine(double[] left, double[] right) => left.Zip(right, (x, y) => x * y).Sum()
        / Math.Sqrt(left.Sum(x => x * x) * right.Sum(x => x * x));

    /// <summary>Of so many digits that no two are as near to a third as rounding goes.</summary>
    private static double[] RandomVector(Random random) =>
        [.. Enumerable.Range(0, 3).Select(_ => Math.Round((random.NextDouble() * 2) - 1, 5))];

    private static string Text(double[] vector) => $"[{string.Join(", ", vector.Select(Text))}]";

    private static string Text(double number) => number.ToString("0.#####", CultureInfo.InvariantCulture);

    /// <summary>No record: two entries may have the same values, and are two.</summary>
    private sealed class Entry(string color, double[]? vector)
    {
        internal string Color { get; } = color;

        internal double[]? Vector { get; } = vector;
    }

    private sealed class VectorRun(int seed) : IntersectionRun<Entry>(seed, documentsMax: 40, queries: 30)
    {
        private protected override List<Entry> NewEntries() =>
        [
            .. Enumerable.Range(0, Random.Next(1, 5))
                .Select(_ => new Entry(AnyColor(), Random.Next(8) == 0 ? null : RandomVector(Random))),
        ];

        private protected override string JsonOf(Entry entry) =>
            $$"""{"Color":"{{entry.Color}}","V":{{(entry.Vector is { } vector ? Text(vector) : "null")}}}""";

        private protected override (string Text, Predicate<Entry> IsMet) Condition(List<Entry> all)
        {
            string color = AnyColor();
            double[] vector = RandomVector(Random);
            double least = Random.Next(3) * 0.4;
            int count = Random.Next(1, all.Count);
            string near = $"vector.search(V, {Text(vector)}, {Text(least)}, {count})";
            string anyNear = $"exact(vector.search(V, {Text(vector)}, {Text(least)}))";
            (string text, HashSet<Entry> met) = Random.Next(6) switch
            {
                0 => ($"Color = '{color}'", all.Where(entry => entry.Color == color).ToHashSet()),
                1 => (near, Nearest(all, vector, least, count)),
                2 => (anyNear, Nearest(all, vector, least, int.MaxValue)),
                3 => ($"Color = '{color}' and {near}",
                    Nearest(all.Where(entry => entry.Color == color), vector, least, count)),
                4 => ($"boost({near}, 2) or Color = '{color}'",
                    [.. all.Where(entry => entry.Color == color), .. Nearest(all, vector, least, count)]),
                _ => ($"Color = '{color}' and not {anyNear}",
                    [.. all.Where(entry => entry.Color == color).Except(Nearest(all, vector, least, int.MaxValue))]),
            };
            return (text, met.Contains);
        }
    }
}
