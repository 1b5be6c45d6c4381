using System.Net;

namespace Raven.Tools.Stress.Mixed;

/// <summary>
/// What a writer does besides documents: patches, attachments, counters and compare-exchange values, of its own and
/// such that all writers share. Own ones are in its ledger, shared ones in the totals of all.
/// </summary>
internal sealed class MixedRequests(int number, Random random, Ledger ledger, SharedTotals totals)
{
    /// <summary>Documents that all writers share counters of.</summary>
    internal const int SharedDocuments = 8;

    private const int Carriers = 6;
    private const int Names = 6;
    private const int Deltas = 5;

    private (string Name, long Delta)? _shared;
    private long _version;

    internal static string SharedDocument(int which) => $"shared/{which}";

    /// <summary>Sends one request, noted before it is sent.</summary>
    internal Task<HttpStatusCode> SendOneAsync(DatabaseClient client)
    {
        var features = new FeatureClient(client);
        return random.Next(10) switch
        {
            < 3 => PatchAsync(features),
            < 6 => AttachAsync(features, client),
            < 8 => CountAsync(features),
            _ => ExchangeAsync(features),
        };
    }

    /// <summary>The server acknowledged the last request, of whatever kind it was.</summary>
    internal void Acknowledge()
    {
        if (_shared is { } shared)
        {
            totals.Acknowledge(shared.Name, shared.Delta);
            _shared = null;
        }
    }

    /// <summary>The last request will have no answer: whether it was carried out is not known.</summary>
    internal void Forget() => _shared = null;

    private string Carrier() => $"w{number}/carrier{random.Next(Carriers)}";

    private string Name() => $"n{random.Next(Names)}";

    private long Known(string state) => ledger.Acknowledged.GetValueOrDefault(state, Ledger.Absent);

    private Task<HttpStatusCode> PatchAsync(FeatureClient features)
    {
        string id = $"w{number}/patched{random.Next(200)}";
        ledger.Begin([new(id, ++_version)]);
        return features.PatchAsync(id, _version);
    }

    private Task<HttpStatusCode> AttachAsync(FeatureClient features, DatabaseClient client)
    {
        string id = Carrier();
        string name = Name();
        string state = StateName.OfAttachment(id, name);
        long version = ++_version;
        if (Known(id) == Ledger.Absent)
        {
            ledger.Begin([new(id, version)]);
            return client.PutAsync(id, DocumentContent.Create(id, version));
        }

        switch (random.Next(4))
        {
            case 0:
                ledger.Begin([new(state, Ledger.Absent)]);
                return features.DeleteAttachmentAsync(id, name);
            case 1:
                ledger.Begin([new(id, version), new(state, version)]);
                return features.SendWithAttachmentAsync(id, version, name, version);
            default:
                ledger.Begin([new(state, version)]);
                return features.PutAttachmentAsync(id, name, version);
        }
    }

    private Task<HttpStatusCode> CountAsync(FeatureClient features)
    {
        long delta = random.Next(1, Deltas + 1);
        string name = Name();
        string id = Carrier();
        if (random.Next(2) == 0 || Known(id) == Ledger.Absent)
        {
            string shared = SharedDocument(random.Next(SharedDocuments));
            Share(StateName.OfCounter(shared, name), delta);
            return features.IncrementAsync(shared, name, delta);
        }

        string state = StateName.OfCounter(id, name);
        long version = ++_version;
        ledger.Begin([new(id, version), new(state, Known(state) + delta)]);
        return features.SendWithIncrementAsync(id, version, name, delta);
    }

    private async Task<HttpStatusCode> ExchangeAsync(FeatureClient features)
    {
        bool isShared = random.Next(3) == 0;
        string key = isShared ? $"shared/{random.Next(SharedDocuments)}" : $"w{number}/{Name()}";
        string state = StateName.OfValue(key);
        ledger.Begin([]);
        (long there, long index) = await features.GetValueAsync(key);
        if (!isShared)
        {
            long? next = there != Ledger.Absent && random.Next(4) == 0 ? null : ++_version;
            ledger.Begin([new(state, next ?? Ledger.Absent)]);
            (HttpStatusCode status, bool isDone) = await features.ExchangeAsync(key, index, next);

            // No other writer changes it.
            return isDone ? status : HttpStatusCode.PreconditionFailed;
        }

        Share(state, 1);
        (HttpStatusCode answer, bool isExchanged) = await features.ExchangeAsync(key, index, there + 1);
        if (answer == HttpStatusCode.OK && !isExchanged)
        {
            _shared = null;
            totals.Withdraw(state, 1); // another writer was faster
        }

        return answer;
    }

    private void Share(string name, long delta)
    {
        ledger.Begin([]);
        totals.Begin(name, delta);
        _shared = (name, delta);
    }
}
