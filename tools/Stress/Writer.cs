using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Raven.Tools.Stress.Mixed;

namespace Raven.Tools.Stress;

/// <summary>
/// One client beside the import: single PUTs, overwrites, deletes and batches on documents that are its own, one
/// request after the other, each noted in the ledger before it is sent and when it is acknowledged.
/// </summary>
internal sealed class Writer
{
    private readonly int _number;
    private readonly Random _random;
    private readonly MixedRequests? _mixed;
    private readonly List<string> _ids = [];
    private long _version;
    private long _acknowledged;

    /// <summary>A writer of documents, and of everything else if there are totals to share.</summary>
    internal Writer(int number, int seed, SharedTotals? totals = null)
    {
        _number = number;
        _random = new Random(seed);
        _mixed = totals is null ? null : new MixedRequests(number, _random, Ledger, totals);
    }

    /// <summary>Writers with the same number, of several databases, are one client.</summary>
    internal int Number => _number;

    internal Ledger Ledger { get; } = new();

    /// <summary>Writes acknowledged so far in all rounds (each command of a batch is one).</summary>
    internal long Acknowledged => Volatile.Read(ref _acknowledged);

    /// <summary>What the server refused although it was alive; only injected faults may make it do so.</summary>
    internal string? Refusal { get; private set; }

    /// <summary>To be called before the first request to a restarted server.</summary>
    internal void Begin()
    {
        Refusal = null;
        _mixed?.Forget();
    }

    /// <summary>Sends one request and waits for its answer; false if the server is gone or refused.</summary>
    internal async Task<bool> TrySendAsync(DatabaseClient client)
    {
        try
        {
            HttpStatusCode status = await SendOneAsync(client);
            if ((int)status is < 200 or >= 300)
            {
                // Whether it was carried out is not known, as with no answer at all. Nothing may be sent on top.
                Refusal = $"writer {_number}: status {(int)status}";
                return false;
            }
        }
        catch (Exception gone) when (gone is HttpRequestException or IOException or SocketException
            or OperationCanceledException)
        {
            if (gone is HttpRequestException { StatusCode: not null })
            {
                Refusal = $"writer {_number}: {gone.Message}"; // it answered: that is no server that is gone
            }

            return false;
        }

        // What is shared with other writers is none of the ledger's.
        Volatile.Write(ref _acknowledged, _acknowledged + Math.Max(1, Ledger.UnderWay.Count));
        Ledger.Acknowledge();
        _mixed?.Acknowledge();
        return true;
    }

    private async Task<HttpStatusCode> SendOneAsync(DatabaseClient client)
    {
        if (_mixed is not null && _random.Next(5) < 3)
        {
            return await _mixed.SendOneAsync(client);
        }

        int choice = _random.Next(100);
        if (choice < 50 || _ids.Count < 20)
        {
            string id = choice < 35 || _ids.Count < 20 ? NewId() : _ids[_random.Next(_ids.Count)];
            long version = ++_version;
            Ledger.Begin([new(id, version)]);
            return await client.PutAsync(id, DocumentContent.Create(id, version));
        }

        if (choice < 60)
        {
            string id = _ids[_random.Next(_ids.Count)];
            Ledger.Begin([new(id, Ledger.Absent)]);
            return await client.DeleteAsync(id);
        }

        return await SendBatchAsync(client);
    }

    private Task<HttpStatusCode> SendBatchAsync(DatabaseClient client)
    {
        var states = new Dictionary<string, long>(StringComparer.Ordinal);
        var commands = new List<string>();
        for (int count = _random.Next(2, 12); count > 0; count--)
        {
            string id = _random.Next(3) == 0 ? _ids[_random.Next(_ids.Count)] : NewId();
            bool isDelete = _random.Next(5) == 0;
            long version = isDelete ? Ledger.Absent : ++_version;
            if (!states.TryAdd(id, version))
            {
                continue;
            }

            string name = JsonSerializer.Serialize(id);
            commands.Add(isDelete
                ? $$"""{"Id":{{name}},"Type":"DELETE","ChangeVector":null}"""
                : $"{{\"Id\":{name},\"Type\":\"PUT\",\"ChangeVector\":null,"
                    + $"\"Document\":{DocumentContent.Create(id, version)}}}");
        }

        Ledger.Begin(states);
        return client.SendBatchAsync($"{{\"Commands\":[{string.Join(',', commands)}]}}");
    }

    private string NewId()
    {
        string id = $"w{_number}/{_ids.Count}";
        _ids.Add(id);
        return id;
    }
}
