using System.Text.Json;

namespace Raven.Cluster.Store;

/// <summary>A transaction as etcd's gateway has it.</summary>
internal static class EtcdTxn
{
    internal static ReadOnlyMemory<byte> Write(StoreTxn txn, string root) => EtcdJson.Write(writer =>
    {
        writer.WriteStartArray("compare");
        foreach (StoreCondition condition in txn.Conditions)
        {
            writer.WriteStartObject();
            writer.WriteString("target", "MOD");
            writer.WriteString("result", "EQUAL");
            EtcdJson.Key(writer, root + condition.Key);
            EtcdJson.Number(writer, "mod_revision", condition.ModRevision);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteStartArray("success");
        foreach (StoreChange change in txn.Changes)
        {
            Write(writer, change, root);
        }

        writer.WriteEndArray();
        writer.WriteStartArray("failure");
        foreach (StoreCondition condition in txn.Conditions)
        {
            writer.WriteStartObject();
            writer.WriteStartObject("requestRange");
            EtcdJson.Key(writer, root + condition.Key);
            writer.WriteEndObject();
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    });

    internal static StoreTxnResult Read(JsonElement body, string root)
    {
        long revision = EtcdJson.RevisionOf(body);
        if (EtcdJson.Bool(body, "succeeded"))
        {
            return new StoreTxnResult(StoreStatus.Ok, true, revision, []);
        }

        List<StoreEntry> current = [];
        foreach (JsonElement response in EtcdJson.Items(body, "responses"))
        {
            if (!response.TryGetProperty("response_range", out JsonElement range))
            {
                throw new JsonException("An answer to a transaction has no 'response_range'.");
            }

            current.AddRange(EtcdJson.Items(range, "kvs")
                .Select(kv => EtcdJson.EntryOf(kv, root)).OfType<StoreEntry>());
        }

        return new StoreTxnResult(StoreStatus.Ok, false, revision, current);
    }

    private static void Write(Utf8JsonWriter writer, StoreChange change, string root)
    {
        writer.WriteStartObject();
        writer.WriteStartObject(change.Value is null ? "requestDeleteRange" : "requestPut");
        EtcdJson.Key(writer, root + change.Key);
        if (change.Value is { } value)
        {
            writer.WriteBase64String("value", value);
            if (change.Lease != 0)
            {
                EtcdJson.Number(writer, "lease", change.Lease);
            }
        }

        writer.WriteEndObject();
        writer.WriteEndObject();
    }
}
