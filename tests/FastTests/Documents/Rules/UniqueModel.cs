using System.Text;
using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Settings;

namespace FastTests.Documents.Rules;

/// <summary>Random batches of documents with few values, and what constraints let through of them.</summary>
internal sealed class UniqueModel(Random random)
{
    internal const string Constraints =
        """
        {"Users":{"Constraints":[{"Name":"V","Fields":["V"]},{"Name":"VW","Fields":["V","W.X"],"IgnoreCase":true}]}}
        """;

    private static readonly (string Name, string[] Fields, bool IgnoresCase)[] Known =
        [("V", ["V"], false), ("VW", ["V", "W.X"], true)];

    private static readonly string[] Values =
        ["1", "1.0", "2", "\"a\"", "\"A\"", "null", "[1]", "[1.0]", "7e22", "70000000000000000000000", "\"é\"", "{}"];

    private readonly Dictionary<string, (string Collection, string Json)> _documents = [];

    /// <summary>What is stored, by id.</summary>
    internal IReadOnlyDictionary<string, (string Collection, string Json)> Documents => _documents;

    internal static async Task ConfigureAsync(Database database, string collections) => await database.ConfigureAsync(
        SettingsStore.UniqueConstraints, Encoding.UTF8.GetBytes($$"""{"Collections":{{collections}}}"""));

    /// <summary>Submits a random batch, and checks that it is refused if a constraint says so.</summary>
    internal void Step(TestDatabase database, string about)
    {
        database.StartBatch();
        Dictionary<string, (string Collection, string Json)> after = new(_documents);
        int count = random.Next(3) == 0 ? 1 : random.Next(1, 6);
        for (int i = 0; i < count; i++)
        {
            string id = $"users/{random.Next(12)}";
            if (random.Next(4) == 0)
            {
                Assert.True(database.AddDelete(id));
                after.Remove(id);
                continue;
            }

            string collection = random.Next(6) == 0 ? "Others" : random.Next(2) == 0 ? "Users" : "users";
            string json = $$"""
                {"V":{{Any()}},"W":{"X":{{Any()}}},"@metadata":{"@collection":"{{collection}}"} }
                """;
            Assert.True(database.AddPut(id, json));
            after[id] = (collection, json);
        }

        bool isDone = database.Submit();
        Assert.True(
            isDone == Holds(after),
            $"{about}: {(isDone ? "done" : database.Batch.Failure.Describe())}, wanted {Holds(after)}");
        if (isDone)
        {
            _documents.Clear();
            foreach ((string id, (string, string) document) in after)
            {
                _documents.Add(id, document);
            }
        }
    }

    private string Any() => Values[random.Next(Values.Length)];

    private static bool Holds(Dictionary<string, (string Collection, string Json)> documents)
    {
        foreach ((_, string[] fields, bool ignoresCase) in Known)
        {
            HashSet<string> seen = [];
            foreach ((string collection, string text) in documents.Values)
            {
                using var json = JsonDocument.Parse(text);
                if (collection != "Others"
                    && UniqueCheck.ValueOf(json.RootElement, fields, ignoresCase) is { } value && !seen.Add(value))
                {
                    return false;
                }
            }
        }

        return true;
    }
}
