namespace FastTests.Queries;

/// <summary>
/// Random changes and random queries, each compared with a look at all documents: how many there are, which, and in
/// what order; with restarts in between.
/// </summary>
internal sealed class QueryDifferentialRun(int seed, bool hasVectors = true)
{
    private readonly Random _random = new(seed);

    internal void Run(IndexedDatabase database, int rounds, int queriesARound)
    {
        QueryModel model = new(_random, hasVectors);
        for (int round = 0; round < rounds; round++)
        {
            Change(database, model, _random);
            if (_random.Next(4) == 0)
            {
                database.Restart();
            }

            for (int i = 0; i < queriesARound; i++)
            {
                Check(database, model, _random, $"seed {seed}, round {round}, query {i}");
                if (i % 5 == 0 && hasVectors)
                {
                    CheckNearest(database, model, _random, $"seed {seed}, round {round}, nearest {i}");
                }
            }
        }
    }

    internal static void Change(IndexedDatabase database, QueryModel model, Random random)
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

    internal static void Put(IndexedDatabase database, QueryModel model)
    {
        string id = model.RandomId();
        QueryModel.Document document = model.RandomDocument();
        model.Documents[id] = document;
        database.Put(id, document.ToJson());
    }

    /// <summary>Asks a random query, and compares its answer.</summary>
    internal static void Check(IndexedDatabase database, QueryModel model, Random random, string where)
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
        (List<string> ids, long total, _) = database.AskFresh(text);
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

    /// <summary>The nearest that meet a condition: as near as those of a look at all that meet it.</summary>
    internal static void CheckNearest(IndexedDatabase database, QueryModel model, Random random, string where)
    {
        (string condition, Func<QueryModel.Document, bool> isMet) = model.RandomCondition(1);
        int[] wanted = model.RandomVector();
        int most = random.Next(1, 20);
        string near = $"vector.search(E, [{wanted[0]}, {wanted[1]}], 0, {most})";
        string text = random.Next(2) == 0
            ? $"from Users where {near} and {condition} limit 1000"
            : $"from Users where ({condition}) and boost({near}, 2) limit 1000";
        double[] expected = [.. model.Documents.Values
            .Where(one => one.Collection == "Users" && isMet(one))
            .Select(one => QueryModel.Cosine(one.E, wanted)).Where(cosine => cosine >= 0).OrderDescending().Take(most)];
        (List<string> ids, long total, _) = database.AskFresh(text);
        double[] found =
            [.. ids.Select(id => QueryModel.Cosine(model.Documents[id].E, wanted)).OrderDescending()];
        Assert.True(
            total == expected.Length && found.Length == expected.Length
                && found.Zip(expected).All(pair => Math.Abs(pair.First - pair.Second) < 1e-6),
            $"{where}: {text} gives {string.Join(' ', found)} instead of {string.Join(' ', expected)}");
    }

    private static int Compare((int Rank, string Text) left, (int Rank, string Text) right) =>
        left.Rank != right.Rank ? left.Rank - right.Rank : string.CompareOrdinal(left.Text, right.Text);
}
