using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;

namespace Raven.Tools.Stress.Indexed;

/// <summary>
/// Compare-exchange values that a map reads, set and removed beside the writers: after each restart the index must have
/// the value of each document, even if it was the value that changed last.
/// </summary>
internal sealed class MarkCheck(int seed)
{
    internal const string Index = "Stress/Marks";

    /// <summary>The map: documents share values by the rest of their versions.</summary>
    internal const string Map = "map('Stress', d => ({ Mark: cmpxchg('marks/' + d.Version % 500) }))";

    private const int Keys = 500;
    private const int Values = 6;

    private readonly Random _random = new(seed);
    private readonly Dictionary<long, long> _indexes = [];

    /// <summary>Sets and removes values until the server is gone.</summary>
    internal async Task WriteAsync(DatabaseClient client, CancellationToken cancellation)
    {
        _indexes.Clear();
        while (!cancellation.IsCancellationRequested)
        {
            try
            {
                await WriteOneAsync(client, _random.Next(Keys));
            }
            catch (Exception gone) when (gone is HttpRequestException or IOException or SocketException
                or OperationCanceledException)
            {
                return;
            }
        }
    }

    /// <summary>The errors of the index; there are no writes to its documents meanwhile.</summary>
    /// <param name="client">The database.</param>
    /// <param name="documents">All of them, and their versions.</param>
    /// <param name="ask">Asks a query of a fresh index; null if it was answered by an error.</param>
    internal static async Task<List<string>> JudgeAsync(
        DatabaseClient client, IReadOnlyList<KeyValuePair<string, long>> documents,
        Func<string, Task<JsonDocument?>> ask)
    {
        Dictionary<long, long> marks = await ReadAsync(client);
        List<string> problems = [];
        for (int mark = -1; mark < Values; mark++)
        {
            string text = mark < 0 ? "null" : mark.ToString(CultureInfo.InvariantCulture);
            long wanted = documents.LongCount(each => marks.GetValueOrDefault(each.Value % Keys, -1) == mark);
            using JsonDocument? answer = await ask($"from index '{Index}' where Mark = {text} select Key limit 0, 1");
            if (answer?.RootElement.GetProperty("TotalResults").GetInt64() is { } found && found != wanted)
            {
                problems.Add($"'{Index}', mark {text}: {found} results, {wanted} documents have it");
            }
        }

        return problems;
    }

    private async Task WriteOneAsync(DatabaseClient client, long key)
    {
        long index = _indexes.GetValueOrDefault(key);
        string path = string.Create(CultureInfo.InvariantCulture, $"cmpxchg?key=marks/{key}&index={index}");
        bool isRemoval = index > 0 && _random.Next(4) == 0;
        using StringContent? body = isRemoval
            ? null
            : new StringContent($"{{\"Object\":{_random.Next(Values)}}}", Encoding.UTF8, "application/json");
        (HttpStatusCode status, byte[] bytes) = await client.SendAsync(
            isRemoval ? HttpMethod.Delete : HttpMethod.Put, path, body);
        if (status != HttpStatusCode.OK)
        {
            throw new HttpRequestException($"{path}: status {(int)status}: {Encoding.UTF8.GetString(bytes)}");
        }

        // A lost race against an earlier write that a killed server has kept returns the stored value.
        using JsonDocument answer = JsonDocument.Parse(bytes);
        bool isDone = answer.RootElement.GetProperty("Successful").GetBoolean();
        bool hasValue = answer.RootElement.GetProperty("Value").ValueKind != JsonValueKind.Null;
        bool isThere = hasValue && !(isDone && isRemoval);
        _indexes[key] = isThere ? answer.RootElement.GetProperty("Index").GetInt64() : 0;
    }

    private static async Task<Dictionary<long, long>> ReadAsync(DatabaseClient client)
    {
        const string path = "cmpxchg?startsWith=marks/";
        (HttpStatusCode status, byte[] bytes) = await client.SendAsync(HttpMethod.Get, path, null);
        if (status != HttpStatusCode.OK)
        {
            throw new HttpRequestException($"{path}: status {(int)status}: {Encoding.UTF8.GetString(bytes)}");
        }

        using JsonDocument answer = JsonDocument.Parse(bytes);
        return answer.RootElement.GetProperty("Results").EnumerateArray().ToDictionary(
            each => long.Parse(each.GetProperty("Key").GetString()!["marks/".Length..], CultureInfo.InvariantCulture),
            each => each.GetProperty("Value").GetProperty("Object").GetInt64());
    }
}
