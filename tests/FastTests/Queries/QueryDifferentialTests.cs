namespace FastTests.Queries;

/// <summary>
/// Queries against an evaluation by hand, with updates, deletions, restarts and lost or damaged indexes in between.
/// </summary>
public sealed class QueryDifferentialTests
{
    private const int QueriesARound = 25;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Every_answer_is_what_a_look_at_all_documents_gives(int seed)
    {
        Random random = new(seed);
        QueryModel model = new(random);
        using IndexedDatabase database = new();
        for (int round = 0; round < 20; round++)
        {
            Change(database, model, random);
            if (random.Next(4) == 0)
            {
                database.Restart();
            }

            for (int i = 0; i < QueriesARound; i++)
            {
                Check(database, model, random, $"seed {seed}, round {round}, query {i}");
            }
        }
    }

    [Fact]
    public void An_index_goes_on_after_a_restart_where_it_was_and_one_that_is_lost_or_damaged_is_made_anew()
    {
        QueryModel model = new(new Random(5));
        using IndexedDatabase database = new();
        Fill(database, model, 50);
        string index = database.Ask("from Users where Age > 5").Index;
        long before = database.Database.Indexes.Find(index)!.Position.MapAttempts;
        database.Restart();
        Fill(database, model, 3);
        CheckAge(database, model);
        long after = database.Database.Indexes.Find(index)!.Position.MapAttempts;
        Assert.InRange(after - before, 0, 3);

        database.Restart(() => database.Folders.Delete(database.Folders.List()[0]));
        CheckAge(database, model);
        database.Restart(() => Damage(database));
        CheckAge(database, model);
    }

    [Fact]
    public void A_document_that_was_deleted_and_came_back_elsewhere_while_nobody_looked_is_gone_from_the_index()
    {
        QueryModel model = new(new Random(8));
        using IndexedDatabase database = new();
        Fill(database, model, 40);
        CheckAge(database, model);
        var index = database.Database.Indexes.Find(database.Ask("from Users where Age > 5").Index)!;
        index.IsPaused = true;
        database.Begin();
        foreach (string id in model.Documents.Where(one => one.Value.Collection == "Users").Select(one => one.Key))
        {
            database.Delete(id);
        }

        database.Submit();
        database.Begin();
        foreach ((string id, QueryModel.Document document) in model.Documents.ToArray())
        {
            if (document.Collection == "Users")
            {
                model.Documents[id] = document with { Collection = "Orders" };
                database.Put(id, model.Documents[id].ToJson());
            }
        }

        database.Submit();
        index.IsPaused = false;
        CheckAge(database, model);
        Assert.Empty(database.Ask("from Users where Age > 5").Ids);
    }

    [Fact]
    public void An_index_that_is_ahead_of_its_documents_is_found_out_and_made_anew()
    {
        QueryModel model = new(new Random(6));
        using IndexedDatabase database = new();
        Fill(database, model, 10);
        CheckAge(database, model);
        Dictionary<string, byte[]> early = [];
        Dictionary<string, QueryModel.Document> documents = [];
        database.Restart(() => early = Copy(database));
        documents = new(model.Documents);
        Fill(database, model, 40);
        CheckAge(database, model);
        database.Restart(() => PutBack(database, early));
        model.Documents.Clear();
        foreach ((string id, QueryModel.Document document) in documents)
        {
            model.Documents[id] = document;
        }

        CheckAge(database, model);
        Fill(database, model, 5);
        CheckAge(database, model);
    }

    private static void CheckAge(IndexedDatabase database, QueryModel model) => Assert.Equal(
        model.Documents.Where(one => one.Value is { Collection: "Users", Age: > 5 }).Select(one => one.Key).Order(),
        database.Ask("from Users where Age > 5").Ids.Order());

    private static void Fill(IndexedDatabase database, QueryModel model, int count)
    {
        database.Begin();
        for (int i = 0; i < count; i++)
        {
            Put(database, model);
        }

        database.Submit();
    }

    private static void Put(IndexedDatabase database, QueryModel model)
    {
        string id = model.RandomId();
        QueryModel.Document document = model.RandomDocument();
        model.Documents[id] = document;
        database.Put(id, document.ToJson());
    }

    private static void Change(IndexedDatabase database, QueryModel model, Random random)
    {
        database.Begin();
        for (int i = random.Next(1, 12); i > 0; i--)
        {
            if (random.Next(4) > 0)
            {
                Put(database, model);
            }
            else
            {
                string id = model.RandomId();
                model.Documents.Remove(id);
                database.Delete(id);
            }
        }

        database.Submit();
    }

    private static void Check(IndexedDatabase database, QueryModel model, Random random, string where)
    {
        string? collection = random.Next(4) switch { 0 => "Orders", 1 => null, _ => "Users" };
        (string condition, Func<QueryModel.Document, bool> isMet) = model.RandomCondition(2);
        string order = random.Next(3) switch { 0 => "Age", 1 => "Name", _ => "" };
        bool isDescending = random.Next(2) == 0;
        int skip = random.Next(3) == 0 ? random.Next(5) : 0;
        int take = random.Next(3) == 0 ? random.Next(1, 10) : 1000;
        string text = $"from {collection ?? "@all_docs"} where {condition}"
            + (order.Length == 0 ? "" : $" order by {order}{(isDescending ? " desc" : "")}")
            + $" limit {skip}, {take}";
        (List<string> ids, long total, _) = database.Ask(text);
        List<string> expected = [.. model.Documents
            .Where(one => (collection is null || one.Value.Collection == collection) && isMet(one.Value))
            .Select(one => one.Key)];
        Assert.True(expected.Count == total, $"{where}: {text} gives {total} instead of {expected.Count}");
        Assert.True(
            ids.Count == Math.Clamp(expected.Count - skip, 0, take) && ids.Distinct().Count() == ids.Count
                && !ids.Except(expected).Any(),
            $"{where}: {text} gives {string.Join(' ', ids)} instead of {string.Join(' ', expected)}");
        if (order.Length > 0)
        {
            IEnumerable<(int, string)> keys = expected.Select(id => QueryModel.Key(model.Documents[id], order))
                .Order(Comparer<(int, string)>.Create(Compare));
            keys = (isDescending ? keys.Reverse() : keys).Skip(skip).Take(take);
            Assert.True(
                keys.SequenceEqual(ids.Select(id => QueryModel.Key(model.Documents[id], order))),
                $"{where}: {text} gives {string.Join(' ', ids)}, which is not in order");
        }
    }

    private static int Compare((int Rank, string Text) left, (int Rank, string Text) right) =>
        left.Rank != right.Rank ? left.Rank - right.Rank : string.CompareOrdinal(left.Text, right.Text);

    private static void Damage(IndexedDatabase database)
    {
        string folder = database.Folders.Open(database.Folders.List()[0]).Description;
        foreach (string file in Directory.EnumerateFiles(folder))
        {
            byte[] bytes = File.ReadAllBytes(file);
            for (int i = 0; i < bytes.Length; i += 64)
            {
                bytes[i] ^= 0x5A;
            }

            File.WriteAllBytes(file, bytes);
        }
    }

    private static Dictionary<string, byte[]> Copy(IndexedDatabase database) =>
        Directory.EnumerateFiles(database.Files.Open("test").Description)
            .ToDictionary(path => path, File.ReadAllBytes);

    private static void PutBack(IndexedDatabase database, Dictionary<string, byte[]> files)
    {
        foreach (string path in Directory.EnumerateFiles(database.Files.Open("test").Description))
        {
            File.Delete(path);
        }

        foreach ((string path, byte[] bytes) in files)
        {
            File.WriteAllBytes(path, bytes);
        }
    }
}
