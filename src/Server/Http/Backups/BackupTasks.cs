using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Documents.Catalog;
using Raven.Documents.Settings;
using Raven.Server.Http.Security;
using Raven.Storage.Errors;

namespace Raven.Server.Http.Backups;

/// <summary>
/// The tasks of backups, which are in the records of their databases: read when a record has changed, with their
/// secrets in the clear. Any thread.
/// </summary>
internal sealed class BackupTasks(DatabaseCatalog databases, RecordSecrets secrets)
{
    /// <summary>The member of a record with the tasks.</summary>
    internal const string Member = "PeriodicBackups";

    private readonly ConcurrentDictionary<string, (long Etag, BackupConfiguration[] Tasks)> _known =
        new(StringComparer.OrdinalIgnoreCase);

    private readonly Lock _writing = new();

    /// <summary>The tasks of all databases.</summary>
    internal ServerWideBackups Wide { get; } = new(databases.Records, secrets);

    /// <summary>A JSON object to be changed, of any depth.</summary>
    internal static JsonObject ToNode(byte[] json)
    {
        using JsonDocument document = StoredJson.Parse(json.AsMemory());
        return JsonObject.Create(document.RootElement.Clone()) ?? [];
    }

    /// <summary>The tasks of a database that can be used; those of a record that cannot be read are none.</summary>
    internal BackupConfiguration[] Of(string database) =>
        OwnOf(database) is { } own ? [.. own, .. Wide.Of(database)] : [];

    private BackupConfiguration[]? OwnOf(string database)
    {
        DatabaseRecord? record;
        try
        {
            databases.TryGetRecord(database, out record);
        }
        catch (StorageCorruptedException)
        {
            // The database cannot be used, and every request for it says why.
            return null;
        }

        if (record == null)
        {
            _known.TryRemove(database, out _);
            return null;
        }

        if (_known.TryGetValue(database, out (long Etag, BackupConfiguration[] Tasks) known)
            && known.Etag == record.Etag)
        {
            return known.Tasks;
        }

        BackupConfiguration[] tasks = Read(record);
        _known[database] = (record.Etag, tasks);
        return tasks;
    }

    /// <summary>The task of a number.</summary>
    /// <exception cref="BadRequestException">404: there is none.</exception>
    internal BackupConfiguration Find(string database, long id) =>
        Array.Find(Of(database), task => task.TaskId == id)
        ?? throw new BadRequestException(
            404, ErrorType.InvalidOperation, $"The database '{database}' has no backup task {id}.");

    /// <summary>A task as it was configured, with asterisks for its secrets.</summary>
    /// <exception cref="BadRequestException">404: there is none.</exception>
    internal JsonObject Show(string database, long id)
    {
        if (ServerWideBackups.IsOne(id) && Wide.Shown(database).FirstOrDefault(one => IdOf(one) == id) is { } wide)
        {
            return wide;
        }

        JsonArray all = Load(database);
        int index = IndexOf(all, id);
        return index >= 0
            ? (JsonObject)all[index]!
            : throw new BadRequestException(
                404, ErrorType.InvalidOperation, $"The database '{database}' has no backup task {id}.");
    }

    /// <summary>The tasks of a database with those of all databases behind them, as clients see them; null if there
    /// are none of all databases.</summary>
    internal JsonArray? TryShowWide(string database)
    {
        JsonObject[] wide = [.. Wide.Shown(database)];
        if (wide.Length == 0)
        {
            return null;
        }

        JsonArray all = Load(database);
        for (int i = all.Count - 1; i >= 0; i--)
        {
            if (all[i] is JsonObject one && ServerWideBackups.IsOne(IdOf(one)))
            {
                all.RemoveAt(i);
            }
        }

        foreach (JsonObject task in wide)
        {
            all.Add(task);
        }

        return all;
    }

    /// <summary>Stores a task: one of its number, or a new one.</summary>
    /// <returns>Its number.</returns>
    /// <exception cref="BadRequestException">There is none of the number, or it is not valid.</exception>
    internal long Put(string database, JsonObject task)
    {
        RequireOwn(IdOf(task));
        lock (_writing)
        {
            JsonArray all = Load(database);
            long id = IdOf(task);
            if (id == 0)
            {
                id = all.OfType<JsonObject>().Select(IdOf).Append(0).Max() + 1;
                task["TaskId"] = id;
                task["Name"] = task["Name"]?.GetValue<string>() is { Length: > 0 } name ? name : $"Backup {id}";
                all.Add(task);
            }
            else
            {
                int index = IndexOf(all, id);
                if (index < 0)
                {
                    throw new BadRequestException(
                        404, ErrorType.InvalidOperation, $"The database '{database}' has no backup task {id}.");
                }

                all[index] = task;
            }

            Store(database, all);
            return id;
        }
    }

    /// <summary>Changes a task, or removes it.</summary>
    /// <param name="database">The database.</param>
    /// <param name="id">The task.</param>
    /// <param name="change">Changes its JSON; false to remove it.</param>
    /// <exception cref="BadRequestException">404: there is none.</exception>
    internal void Change(string database, long id, Func<JsonObject, bool> change)
    {
        RequireOwn(id);
        lock (_writing)
        {
            JsonArray all = Load(database);
            int index = IndexOf(all, id);
            if (index < 0)
            {
                throw new BadRequestException(
                    404, ErrorType.InvalidOperation, $"The database '{database}' has no backup task {id}.");
            }

            if (!change((JsonObject)all[index]!))
            {
                all.RemoveAt(index);
            }

            Store(database, all);
        }
    }

    private static void RequireOwn(long id)
    {
        if (ServerWideBackups.IsOne(id))
        {
            throw new BadRequestException(
                400, ErrorType.InvalidOperation,
                $"The backup task {id} is one of all databases: it is changed at /admin/configuration/server-wide.");
        }
    }

    private void Store(string database, JsonArray all)
    {
        if (!databases.TrySetInRecord(database, Member, Encoding.UTF8.GetBytes(all.ToJsonString())))
        {
            throw new BadRequestException(
                503, ErrorType.DatabaseMissing, $"Database '{database}' does not exist.");
        }
    }

    /// <summary>The tasks as clients see them. What is stored back with its asterisks keeps its secrets.</summary>
    private JsonArray Load(string database)
    {
        if (!databases.TryGetRecord(database, out DatabaseRecord? record))
        {
            throw new BadRequestException(
                503, ErrorType.DatabaseMissing, $"Database '{database}' does not exist.");
        }

        JsonObject root = ToNode(RecordSecrets.Masked(record.Json.ToArray()));
        JsonArray tasks = root[Member] as JsonArray ?? [];
        root.Remove(Member);
        return tasks;
    }

    private BackupConfiguration[] Read(DatabaseRecord record)
    {
        List<BackupConfiguration> tasks = [];
        byte[] stored = record.Json.ToArray();
        using JsonDocument document = StoredJson.Parse(
            (secrets.Fault == null ? secrets.Reveal(record.Name, stored) : stored).AsMemory());
        if (document.RootElement.TryGetProperty(Member, out JsonElement all) && all.ValueKind == JsonValueKind.Array)
        {
            foreach (JsonElement one in all.EnumerateArray())
            {
                // A client that sends a record back sends the tasks of the server that it has seen in it.
                if (one.ValueKind == JsonValueKind.Object && one.TryGetProperty("TaskId"u8, out JsonElement id)
                    && id.ValueKind == JsonValueKind.Number && id.TryGetInt64(out long number)
                    && ServerWideBackups.IsOne(number))
                {
                    continue;
                }

                try
                {
                    tasks.Add(BackupConfiguration.Parse(one, isPeriodic: true));
                }
                catch (BadRequestException)
                {
                    // A record is stored as it was sent: what is no task of this server does nothing.
                }
            }
        }

        return [.. tasks];
    }

    private static int IndexOf(JsonArray all, long id)
    {
        for (int i = 0; i < all.Count; i++)
        {
            if (all[i] is JsonObject one && IdOf(one) == id)
            {
                return i;
            }
        }

        return -1;
    }

    private static long IdOf(JsonObject task) =>
        task["TaskId"] is JsonValue value && value.TryGetValue(out long id) ? id : 0;
}
