using System.Globalization;
using Raven.Server.Indexing;
using Raven.Server.Indexing.Definitions;

namespace FastTests.Queries;

/// <summary>
/// Conditions on vectors in <c>intersect()</c>, over an index that makes several entries a document: each is met by the
/// nearest entries of all there are, whatever stands beside it. Compared with a look at all documents, while these
/// change.
/// </summary>
public sealed class VectorIntersectionTests
{
    private const int DocumentsMax = 40;
    private static readonly string[] Colors = ["Blue", "Gray", "Red"];
    private static readonly string[] Makers = ["Ann", "Bob"];

    [Theory]
    [InlineData("from s in docs.Shirts from t in s.Types select new { s.Maker, t.Color, V = CreateVector(t.V) }")]
    [InlineData("map('Shirts', s => s.Types.map(t => ({ Maker: s.Maker, Color: t.Color, V: createVector(t.V) })))")]
    public async Task The_nearest_vectors_in_an_intersection_are_those_of_the_whole_index(string map)
    {
        const int Seed = 21;
        Random random = new(Seed);
        using IndexedDatabase database = new(new IndexingOptions { ThreadsMax = -1, BatchDocumentsMax = 10 });
        await database.Database.Indexes.Changes.PutAsync(new IndexDefinition { Name = "Shirts/ByType", Maps = [map] });
        Dictionary<string, Shirt> shirts = [];
        for (int round = 0; round < 5; round++)
        {
            Change(database, shirts, random);
            database.CatchUp();
            for (int i = 0; i < 30; i++)
            {
                Check(database, shirts, random, $"seed {Seed}, round {round}, query {i}");
            }
        }
    }

    private static void Change(IndexedDatabase database, Dictionary<string, Shirt> shirts, Random random)
    {
        database.Begin();
        for (int i = 0; i < 25; i++)
        {
            string id = $"shirts/{random.Next(DocumentsMax)}";
            if (random.Next(6) == 0)
            {
                shirts.Remove(id);
                database.Delete(id);
                continue;
            }

            List<Entry> types = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => new Entry(
                Pick(Colors, random), random.Next(8) == 0 ? null : RandomVector(random)))];
            shirts[id] = new Shirt(Pick(Makers, random), types);
            string json = string.Join(",", types.Select(one =>
                $$"""{"Color":"{{one.Color}}","V":{{(one.Vector is { } vector ? Text(vector) : "null")}}}"""));
            database.Put(id, $$"""
                {"Maker":"{{shirts[id].Maker}}","Types":[{{json}}],"@metadata":{"@collection":"Shirts"} }
                """);
        }

        database.Submit();
    }

    private static void Check(
        IndexedDatabase database, Dictionary<string, Shirt> shirts, Random random, string where)
    {
        List<Entry> all = [.. shirts.Values.SelectMany(shirt => shirt.Types)];
        List<(string Text, HashSet<Entry> Met)> conditions =
            [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => Condition(all, random))];
        string? maker = random.Next(3) == 0 ? Pick(Makers, random) : null;
        string text = $"from index 'Shirts/ByType' where {(maker is null ? "" : $"Maker = '{maker}' and ")}"
            + $"intersect({string.Join(", ", conditions.Select(one => one.Text))})";
        Dictionary<string, Shirt> expected = shirts
            .Where(one => (maker is null || one.Value.Maker == maker)
                && conditions.TrueForAll(condition => one.Value.Types.Exists(condition.Met.Contains)))
            .ToDictionary();
        int entries = expected.Values.Sum(shirt => shirt.Types.Count(conditions[0].Met.Contains));
        (List<string> ids, long total, _) = database.Ask(text);
        Assert.True(
            ids.Order(StringComparer.Ordinal).SequenceEqual(expected.Keys.Order(StringComparer.Ordinal)),
            $"{where}: {text} gives {string.Join(' ', ids)} instead of {string.Join(' ', expected.Keys)}");
        Assert.True(total == entries, $"{where}: {text} counts {total} entries instead of {entries}");
    }

    /// <summary>A condition and the entries, of all there are, that meet it.</summary>
    private static (string Text, HashSet<Entry> Met) Condition(List<Entry> all, Random random)
    {
        string color = Pick(Colors, random);
        double[] vector = RandomVector(random);
        double least = random.Next(3) * 0.4;
        int count = random.Next(1, all.Count);
        string near = $"vector.search(V, {Text(vector)}, {Text(least)}, {count})";
        string anyNear = $"exact(vector.search(V, {Text(vector)}, {Text(least)}))";
        return random.Next(6) switch
        {
            0 => ($"Color = '{color}'", [.. all.Where(entry => entry.Color == color)]),
            1 => (near, Nearest(all, vector, least, count)),
            2 => (anyNear, Nearest(all, vector, least, int.MaxValue)),
            3 => ($"Color = '{color}' and {near}",
                Nearest(all.Where(entry => entry.Color == color), vector, least, count)),
            4 => ($"boost({near}, 2) or Color = '{color}'",
                [.. all.Where(entry => entry.Color == color), .. Nearest(all, vector, least, count)]),
            _ => ($"Color = '{color}' and not {anyNear}",
                [.. all.Where(entry => entry.Color == color).Except(Nearest(all, vector, least, int.MaxValue))]),
        };
    }

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

    private static string Pick(string[] words, Random random) => words[random.Next(words.Length)];

    /// <summary>No record: two entries may have the same values, and are two.</summary>
    private sealed class Entry(string color, double[]? vector)
    {
        internal string Color { get; } = color;

        internal double[]? Vector { get; } = vector;
    }

    private sealed record Shirt(string Maker, List<Entry> Types);
}
