using System.Net;
using System.Text;
using System.Text.Json;
using Raven.Tools.Stress.Indexed;

namespace Raven.Tools.Stress.Databases;

/// <summary>
/// Many databases, each with an index, that the writers spread over; all of them are opened, recovered and checked
/// when the server that was killed starts again.
/// </summary>
internal sealed class Crowd
{
    /// <summary>A writer is a client of every fourth database, besides the one that all write to.</summary>
    private const int Strides = 4;

    private const int Queries = 3;
    private const int PageSize = 128;
    private const string Index = "Stress/ByVersion";
    private const string Definitions = $$"""
        {"Indexes":[{"Name":"{{Index}}","Maps":["map('Stress', d => ({ Key: d.Key, Version: d.Version }))"]}]}
        """;

    private readonly StressDatabase[] _databases;
    private readonly Random _random;
    private bool _isThere;
    private bool _isWritten;

    /// <summary>So many databases as the options say.</summary>
    internal Crowd(StressOptions options, Random random)
    {
        _random = new Random(random.Next());
        int strides = Math.Min(Strides, options.Writers);
        _databases = [.. Enumerable.Range(0, options.Databases).Select(which => new StressDatabase(
            $"{DatabaseClient.DefaultName}-{which + 1}", random,
            Enumerable.Range(0, options.Writers).Where(number => number % strides == which % strides),
            options.IsMixed))];
    }

    /// <summary>All databases.</summary>
    internal IReadOnlyList<StressDatabase> Databases => _databases;

    /// <summary>The names of those that there are.</summary>
    internal IEnumerable<string> Names => _isThere ? _databases.Select(database => database.Name) : [];

    /// <summary>How many queries were compared with what has to be there.</summary>
    internal long Asked { get; private set; }

    /// <summary>
    /// Checks all databases if they were written since; makes them and their indexes if they do not exist.
    /// </summary>
    /// <param name="client">The server.</param>
    /// <param name="isWritten">Whether they will be written now.</param>
    /// <param name="isFull">Whether to check what was checked before, too.</param>
    /// <returns>What is wrong.</returns>
    internal async Task<List<string>> PrepareAsync(DatabaseClient client, bool isWritten, bool isFull)
    {
        List<string> problems = [];
        if (_isThere && (_isWritten || isFull))
        {
            foreach (StressDatabase database in _databases)
            {
                DatabaseClient of = client.Of(database.Name);
                List<string> found = await database.CheckAsync(of, isFull);
                found.AddRange(await JudgeIndexAsync(of, [.. database.Documents]));
                problems.AddRange(found.Select(problem => $"{database.Name}: {problem}"));
            }
        }

        if (isWritten && !_isThere)
        {
            foreach (StressDatabase database in _databases)
            {
                DatabaseClient of = client.Of(database.Name);
                await database.CreateAsync(of);
                await SendAsync(of, HttpMethod.Put, "indexes", Definitions, HttpStatusCode.Created);
            }

            _isThere = true;
        }

        _isWritten = isWritten;
        return problems;
    }

    /// <summary>The writers that are one client: of that number, each with its database.</summary>
    internal IEnumerable<(Writer Writer, string Name)> WritersOf(int number) =>
        from database in _databases
        from writer in database.Writers
        where writer.Number == number
        select (writer, database.Name);

    /// <summary>Compares answers of the index with the expected ones; there are no writes meanwhile.</summary>
    private async Task<List<string>> JudgeIndexAsync(
        DatabaseClient client, IReadOnlyList<KeyValuePair<string, long>> documents)
    {
        List<string> problems = [];
        for (int i = 0; i < Queries && documents.Count > 0; i++)
        {
            // The first one counts all of them.
            IndexQuery query = i == 0
                ? new IndexQuery($"from index '{Index}'", (_, _) => true)
                : IndexQuery.Next(_random, documents, $"from index '{Index}'");
            string[] wanted = [.. documents.Where(each => query.IsMet(each.Key, each.Value)).Select(each => each.Key)];
            string request = JsonSerializer.Serialize(new
            {
                Query = $"{query.Text} select Key limit 0, {PageSize}",
                WaitForNonStaleResults = true,
                WaitForNonStaleResultsTimeout = DatabaseClient.FreshMax,
            });
            byte[] bytes = await SendAsync(client, HttpMethod.Post, "queries", request, HttpStatusCode.OK);
            Asked++;
            using JsonDocument answer = JsonDocument.Parse(bytes);
            long total = answer.RootElement.GetProperty("TotalResults").GetInt64();
            string[] found = [.. answer.RootElement.GetProperty("Results").EnumerateArray()
                .Select(each => each.GetProperty("Key").GetString()!)];
            if (total != wanted.Length || found.Length != Math.Min(PageSize, wanted.Length)
                || found.Except(wanted).Any() || found.Distinct().Count() != found.Length)
            {
                problems.Add($"{query.Text}: {total} results, {wanted.Length} documents are there");
            }
        }

        return problems;
    }

    private static async Task<byte[]> SendAsync(
        DatabaseClient client, HttpMethod method, string path, string json, HttpStatusCode wanted)
    {
        using var body = new StringContent(json, Encoding.UTF8, "application/json");
        (HttpStatusCode status, byte[] answer) = await client.SendAsync(method, path, body);
        return status == wanted
            ? answer
            : throw new HttpRequestException($"{path}: status {(int)status}: {Encoding.UTF8.GetString(answer)}");
    }
}
