using System.Text.Json;
using Raven.Client.Documents;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Session;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>Sends the scenario of each value of each option by both clients, to one database each.</summary>
public sealed class OptionFixture
{
    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(4);

    private static readonly string[] Items =
    [
        """
        { "text": "the red fox", "n": 2, "code": "a10", "at": "2020-01-01T00:00:00.0000000Z", "tags": ["x", "y"],
          "wkt": "POINT (35 32)", "v": [0, 1], "@metadata": { "@collection": "Items" } }
        """,
        """
        { "text": "a red whale", "n": 10, "code": "a9", "at": "2999-01-01T00:00:00.0000000Z", "tags": ["y"],
          "wkt": "POLYGON ((1 1, 5 1, 5 5, 1 5, 1 1))", "v": [1, 0], "@metadata": { "@collection": "Items" } }
        """,
        """
        { "text": "nothing", "n": null, "code": "b1", "at": null, "tags": [], "wkt": "POINT (2 2)", "v": [-1, 0.5],
          "@metadata": { "@collection": "Items" } }
        """,
    ];

    private readonly Lazy<Task<Dictionary<string, string?>>> _outcomes = new(RunAllAsync);

    /// <summary>The options, as <c>NAME KIND VALUE ...</c>, of which the kind <c>compared</c> is run.</summary>
    internal static IEnumerable<string[]> Options { get; } =
        [.. File.ReadLines(Path.Combine(NodeClientFixture.Folder, "options.txt"))
            .Where(line => line.Length > 0 && line[0] != '#').Select(line => line.Split(' '))];

    /// <summary>What differs between the answers for a value, null if nothing does.</summary>
    internal async Task<string?> OutcomeOfAsync(string option, string value) =>
        (await _outcomes.Value).TryGetValue($"{option} {value}", out string? outcome) ? outcome : "It was not sent.";

    private static async Task<Dictionary<string, string?>> RunAllAsync()
    {
        using ServerProcess server = NodeClientFixture.StartServer();
        const string node = "options-node";
        const string net = "options-here";
        await SeedAsync(server.Url, node);
        await SeedAsync(server.Url, net);
        Dictionary<string, (List<OptionAnswer> Answers, string? Thrown)> theirs = SendByNode(server.Url, node);
        Dictionary<string, string?> outcomes = [];
        using OptionRecorder recorder = new(net);
        await using DocumentStore store = Open(server.Url, net, recorder);
        OptionContext context = new(store, net);
        foreach (string[] option in Options.Where(option => option[1] == "compared"))
        {
            foreach (string value in option[2..])
            {
                recorder.Take();
                string? thrown = await SendAsync(context with { Option = option[0], Value = value });
                string key = $"{option[0]} {value}";
                outcomes[key] = Difference(theirs[key], (OptionAnswer.Compared(recorder.Take()), thrown));
            }
        }

        return outcomes;
    }

    private static async Task<string?> SendAsync(OptionContext context)
    {
        try
        {
            await OptionScenarios.All[context.Option](context);
            return null;
        }
        catch (Exception e)
        {
            return e.ToString();
        }
    }

    private static string? Difference(
        (List<OptionAnswer> Answers, string? Thrown) theirs, (List<OptionAnswer> Answers, string? Thrown) ours)
    {
        if (ours.Answers.Count > 0 && theirs.Answers.SequenceEqual(ours.Answers))
        {
            return null;
        }

        static string Text((List<OptionAnswer> Answers, string? Thrown) those, List<OptionAnswer> others) =>
            string.Join('\n', those.Answers.Except(others)) + $"\n{those.Thrown}";
        return $"of {theirs.Answers.Count} of the Node client:\n{Text(theirs, ours.Answers)}\n"
            + $"of {ours.Answers.Count} of ours:\n{Text(ours, theirs.Answers)}";
    }

    private static Dictionary<string, (List<OptionAnswer> Answers, string? Thrown)> SendByNode(
        string url, string database)
    {
        Dictionary<string, (List<OptionAnswer>, string?)> all = [];
        (int code, string errors) = NodeProgram.Run(
            NodeClientFixture.Folder, ["options.mjs", url, database], RunLimit, line =>
            {
                using JsonDocument json = JsonDocument.Parse(line);
                JsonElement root = json.RootElement;
                all[$"{root.GetProperty("option").GetString()} {root.GetProperty("value").GetString()}"] = (
                    OptionAnswer.Compared([.. root.GetProperty("answers").EnumerateArray().Select(answer =>
                        OptionAnswer.Of(
                            answer.GetProperty("request").GetString()!, answer.GetProperty("status").GetInt32(),
                            answer.GetProperty("body").GetString()!, database))]),
                    root.GetProperty("thrown").GetString());
            });
        return code == 0 ? all : throw new InvalidOperationException($"options.mjs ended with {code}: {errors}");
    }

    private static async Task SeedAsync(string url, string database)
    {
        await using DocumentStore store = Open(url, database, null);
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord(database)));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        for (int i = 0; i < Items.Length; i++)
        {
            using JsonDocument item = JsonDocument.Parse(Items[i]);
            session.Advanced.Defer(new PutCommandData($"items/{i + 1}", null, item.RootElement));
        }

        await session.SaveChangesAsync();
    }

    private static DocumentStore Open(string url, string database, OptionRecorder? recorder)
    {
        DocumentConventions conventions = new()
        {
            FindCollectionName = type => type == typeof(OptionItem) ? "Items" : "Others",
        };
        if (recorder is not null)
        {
            conventions.CreateHttpMessageHandler = () => recorder;
        }

        DocumentStore store = new() { Urls = [url], Database = database, Conventions = conventions };
        store.Initialize();
        return store;
    }
}
