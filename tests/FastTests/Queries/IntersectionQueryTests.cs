namespace FastTests.Queries;

/// <summary>Conditions on values in <c>intersect()</c>, and pages of its results.</summary>
public sealed class IntersectionQueryTests
{
    [Theory]
    [InlineData("from s in docs.Shirts from t in s.Types select new { s.Maker, t.Color, t.Size }")]
    [InlineData("map('Shirts', s => s.Types.map(t => ({ Maker: s.Maker, Color: t.Color, Size: t.Size })))")]
    public Task The_conditions_of_an_intersection_may_be_met_by_different_entries_of_a_document(string map) =>
        new ValueRun(seed: 8).RunAsync(map);

    private sealed class ValueRun(int seed) : IntersectionRun<Entry>(seed, documentsMax: 50, queries: 20)
    {
        private static readonly string[] Sizes = ["Small", "Large", "Huge"];

        private protected override List<Entry> NewEntries() =>
            [.. Enumerable.Range(0, Random.Next(5)).Select(_ => new Entry(AnyColor(), Pick(Sizes)))];

        private protected override string JsonOf(Entry entry) =>
            $$"""{"Color":"{{entry.Color}}","Size":"{{entry.Size}}"}""";

        private protected override (string Text, Predicate<Entry> IsMet) Condition(List<Entry> all)
        {
            string color = AnyColor();
            string size = Pick(Sizes);
            return Random.Next(4) switch
            {
                0 => ($"Color = '{color}'", entry => entry.Color == color),
                1 => ($"Size != '{size}'", entry => entry.Size != size),
                _ => ($"Color = '{color}' and Size = '{size}'", entry => entry.Color == color && entry.Size == size),
            };
        }

        private protected override void CheckMore(
            IndexedDatabase database, string text, List<string> ids, string where)
        {
            (int skip, int take) = (Random.Next(4), Random.Next(1, 6));
            (List<string> page, _, _) = database.Ask($"{text} limit {skip}, {take}");
            Assert.True(
                page.SequenceEqual(ids.Skip(skip).Take(take)),
                $"{where}: {text} limit {skip}, {take} gives {string.Join(' ', page)} of {string.Join(' ', ids)}");
        }
    }

    private sealed record Entry(string Color, string Size);
}
