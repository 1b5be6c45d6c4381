using Raven.Server.Indexing;
using Raven.Server.Indexing.Definitions;

namespace FastTests.Queries;

/// <summary>
/// <c>intersect()</c> over an index that makes several entries a document: random conditions, each compared with a look
/// at all documents, while these change.
/// </summary>
public sealed class IntersectionQueryTests
{
    private static readonly string[] Colors = ["Blue", "Gray", "Red"];
    private static readonly string[] Sizes = ["Small", "Large", "Huge"];
    private static readonly string[] Makers = ["Ann", "Bob"];

    [Theory]
    [InlineData("from s in docs.Shirts from t in s.Types select new { s.Maker, t.Color, t.Size }")]
    [InlineData("map('Shirts', s => s.Types.map(t => ({ Maker: s.Maker, Color: t.Color, Size: t.Size })))")]
    public async Task The_conditions_of_an_intersection_may_be_met_by_different_entries_of_a_document(string map)
    {
        const int Seed = 8;
        Random random = new(Seed);
        using IndexedDatabase database = new(new IndexingOptions { ThreadsMax = -1, BatchDocumentsMax = 10 });
        await database.Database.Indexes.Changes.PutAsync(new IndexDefinition { Name = "Shirts/ByType", Maps = [map] });
        Dictionary<string, Shirt> shirts = [];
        for (int round = 0; round < 5; round++)
        {
            Change(database, shirts, random);
            database.CatchUp();
            for (int i = 0; i < 20; i++)
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
            string id = $"shirts/{random.Next(50)}";
            if (random.Next(6) == 0)
            {
                shirts.Remove(id);
                database.Delete(id);
                continue;
            }

            List<Entry> types = [.. Enumerable.Range(0, random.Next(5))
                .Select(_ => new Entry(Pick(Colors, random), Pick(Sizes, random)))];
            shirts[id] = new Shirt(Pick(Makers, random), types);
            string json = string.Join(
                ",", types.Select(one => $$"""{"Color":"{{one.Color}}","Size":"{{one.Size}}"}"""));
            database.Put(id, $$"""
                {"Maker":"{{shirts[id].Maker}}","Types":[{{json}}],"@metadata":{"@collection":"Shirts"} }
                """);
        }

        database.Submit();
    }

    private static void Check(
        IndexedDatabase database, Dictionary<string, Shirt> shirts, Random random, string where)
    {
        (string Text, Func<Entry, bool> IsMet)[] conditions =
            [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => Condition(random))];
        string? maker = random.Next(3) == 0 ? Pick(Makers, random) : null;
        string text = $"from index 'Shirts/ByType' where {(maker is null ? "" : $"Maker = '{maker}' and ")}"
            + $"intersect({string.Join(", ", conditions.Select(one => one.Text))})";
        Dictionary<string, Shirt> expected = shirts
            .Where(one => (maker is null || one.Value.Maker == maker)
                && conditions.All(condition => one.Value.Types.Exists(condition.IsMet.Invoke)))
            .ToDictionary();
        int entries = expected.Values.Sum(shirt => shirt.Types.Count(conditions[0].IsMet));
        (List<string> ids, long total, _) = database.Ask(text);
        Assert.True(
            ids.Order(StringComparer.Ordinal).SequenceEqual(expected.Keys.Order(StringComparer.Ordinal)),
            $"{where}: {text} gives {string.Join(' ', ids)} instead of {string.Join(' ', expected.Keys)}");
        Assert.True(total == entries, $"{where}: {text} counts {total} entries instead of {entries}");
        (int skip, int take) = (random.Next(4), random.Next(1, 6));
        (List<string> page, _, _) = database.Ask($"{text} limit {skip}, {take}");
        Assert.True(
            page.SequenceEqual(ids.Skip(skip).Take(take)),
            $"{where}: {text} limit {skip}, {take} gives {string.Join(' ', page)} of {string.Join(' ', ids)}");
    }

    private static (string Text, Func<Entry, bool> IsMet) Condition(Random random)
    {
        string color = Pick(Colors, random);
        string size = Pick(Sizes, random);
        return random.Next(4) switch
        {
            0 => ($"Color = '{color}'", entry => entry.Color == color),
            1 => ($"Size != '{size}'", entry => entry.Size != size),
            _ => ($"Color = '{color}' and Size = '{size}'", entry => entry.Color == color && entry.Size == size),
        };
    }

    private static string Pick(string[] words, Random random) => words[random.Next(words.Length)];

    private sealed record Entry(string Color, string Size);

    private sealed record Shirt(string Maker, List<Entry> Types);
}
