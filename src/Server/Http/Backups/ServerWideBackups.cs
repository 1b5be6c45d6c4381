using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Documents.Catalog;
using Raven.Documents.Settings;
using Raven.Server.Http.Security;

namespace Raven.Server.Http.Backups;

//   WIDE-1  A task of the server is one of each database that it does not exclude, of those that are made later, too:
//           under a number and a name that no task of a database has, and in a folder of its own.

/// <summary>The tasks of backups of all databases, kept among the records of the server. Any thread.</summary>
internal sealed class ServerWideBackups(ServerRecords records, RecordSecrets secrets)
{
    /// <summary>What the names of these tasks begin with in databases.</summary>
    internal const string NamePrefix = "Server Wide Backup, ";

    /// <summary>Above all numbers of tasks of databases.</summary>
    private const long FirstId = 1_000_000_000;

    private const int NameLengthMax = 200;

    private readonly Lock _writing = new();
    private (BackupConfiguration Task, string[] Excluded)[]? _known;

    /// <summary>Called with all tasks before they are kept, where several servers share them; what it throws refuses
    /// the change.</summary>
    internal Action<byte[]>? Shared { get; set; }

    /// <summary>Called when the record was replaced.</summary>
    internal void ReadAgain() => Volatile.Write(ref _known, null);

    /// <summary>Whether a number is that of a task of the server.</summary>
    internal static bool IsOne(long taskId) => taskId >= FirstId;

    /// <summary>The number of a task in databases.</summary>
    internal static long IdInDatabases(long id) => FirstId + id;

    /// <summary>All tasks, with asterisks for their secrets.</summary>
    internal JsonObject[] List() => [.. Load().OfType<JsonObject>()];

    /// <summary>The tasks of a database.</summary>
    internal IEnumerable<BackupConfiguration> Of(string database) => Known()
        .Where(one => !one.Excluded.Contains(database, StringComparer.OrdinalIgnoreCase))
        .Select(one => Within(one.Task, database));

    /// <summary>The tasks of a database as its record shows them.</summary>
    internal IEnumerable<JsonObject> Shown(string database)
    {
        foreach (JsonObject one in List())
        {
            var task = (JsonObject)one.DeepClone();
            if (ExcludedOf(task).Contains(database, StringComparer.OrdinalIgnoreCase))
            {
                continue;
            }

            task["TaskId"] = IdInDatabases(IdOf(task));
            task["Name"] = NamePrefix + NameOf(task);
            task.Remove("ExcludedDatabases");
            yield return task;
        }
    }

    /// <summary>Reads a task, and checks it.</summary>
    /// <exception cref="BadRequestException">It is not valid: the message says where.</exception>
    internal static BackupConfiguration Parse(JsonElement json)
    {
        BackupConfiguration task = BackupConfiguration.Parse(json, isPeriodic: true);
        if (BackupConfiguration.Member(json, "ExcludedDatabases") is { ValueKind: not JsonValueKind.Null } excluded
            && (excluded.ValueKind != JsonValueKind.Array || excluded.EnumerateArray().Any(
                name => name.ValueKind != JsonValueKind.String || name.GetString()!.Length == 0)))
        {
            throw Wrong("ExcludedDatabases must be an array of names.");
        }

        return task.Name.Length <= NameLengthMax && !task.Name.Any(char.IsControl)
            ? task
            : throw Wrong($"Name must have {NameLengthMax} characters at most, and none that controls.");
    }

    /// <summary>Stores a task: that of its name, or a new one.</summary>
    /// <returns>Its name.</returns>
    /// <exception cref="BadRequestException">Asterisks in it stand for no secret.</exception>
    internal string Put(JsonObject task)
    {
        lock (_writing)
        {
            JsonArray all = Load();
            string name = task["Name"]?.GetValue<string>() is { Length: > 0 } given ? given : FreeName(all);
            task["Name"] = name;
            int index = IndexOf(all, name);
            RequireOneArchive(all, index, task);
            task["TaskId"] = index >= 0
                ? IdOf((JsonObject)all[index]!)
                : all.OfType<JsonObject>().Select(IdOf).Append(0).Max() + 1;
            if (index >= 0)
            {
                all[index] = task;
            }
            else
            {
                all.Add(task);
            }

            Store(all);
            return name;
        }
    }

    /// <summary>Changes a task, or removes it.</summary>
    /// <param name="name">The task.</param>
    /// <param name="change">Changes its JSON; false to remove it.</param>
    /// <returns>Its number.</returns>
    /// <exception cref="BadRequestException">404: there is none.</exception>
    internal long Change(string name, Func<JsonObject, bool> change)
    {
        lock (_writing)
        {
            JsonArray all = Load();
            int index = IndexOf(all, name);
            if (index < 0)
            {
                throw new BadRequestException(
                    404, ErrorType.InvalidOperation, $"The server has no backup task '{name}'.");
            }

            long id = IdOf((JsonObject)all[index]!);
            if (!change((JsonObject)all[index]!))
            {
                all.RemoveAt(index);
            }

            Store(all);
            return id;
        }
    }

    /// <summary>The journal is given up when the archive has it: there is one.</summary>
    private static void RequireOneArchive(JsonArray all, int index, JsonObject task)
    {
        if (ArchivesJournal(task) && all.Where((one, at) => at != index).OfType<JsonObject>()
            .FirstOrDefault(ArchivesJournal) is { } there)
        {
            throw Wrong($"ArchiveJournal: the task '{NameOf(there)}' archives the journal already.");
        }
    }

    private static bool ArchivesJournal(JsonObject task) =>
        task["ArchiveJournal"]?.GetValueKind() == JsonValueKind.True;

    private static BackupConfiguration Within(BackupConfiguration task, string database) => task with
    {
        TaskId = IdInDatabases(task.TaskId),
        Name = NamePrefix + task.Name,
        FolderPath = task.FolderPath is { } folder ? Path.Combine(folder, database) : null,
        S3 = task.S3?.Within(database),
        ServerWide = task,
    };

    private (BackupConfiguration Task, string[] Excluded)[] Known()
    {
        if (Volatile.Read(ref _known) is { } known)
        {
            return known;
        }

        lock (_writing)
        {
            if (RecordSecrets.ReadServerWide(records) is not { } stored)
            {
                return _known = [];
            }

            // Without the master key tasks are there, and their runs say what they miss.
            using JsonDocument document = StoredJson.Parse((secrets.Fault == null
                ? secrets.Reveal(RecordSecrets.ServerWide, stored)
                : RecordSecrets.Masked(stored)).AsMemory());
            return _known = [.. document.RootElement.GetProperty(BackupTasks.Member).EnumerateArray().Select(
                one => (Parse(one), ExcludedOf(one)))];
        }
    }

    private JsonArray Load()
    {
        byte[] stored = RecordSecrets.ReadServerWide(records) ?? "{}"u8.ToArray();
        JsonObject root = BackupTasks.ToNode(RecordSecrets.Masked(stored));
        JsonArray tasks = root[BackupTasks.Member] as JsonArray ?? [];
        root.Remove(BackupTasks.Member);
        return tasks;
    }

    private void Store(JsonArray all)
    {
        var root = new JsonObject { [BackupTasks.Member] = all };
        byte[] json = Encoding.UTF8.GetBytes(root.ToJsonString());
        byte[] made = secrets.SealServerWide(records, json);
        Shared?.Invoke(made);
        RecordSecrets.TakeServerWide(records, made);
        ReadAgain();
    }

    private static string FreeName(JsonArray all)
    {
        for (int number = 1; ; number++)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"Backup {number}");
            if (IndexOf(all, name) < 0)
            {
                return name;
            }
        }
    }

    private static int IndexOf(JsonArray all, string name)
    {
        for (int i = 0; i < all.Count; i++)
        {
            if (all[i] is JsonObject one && NameOf(one).Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return i;
            }
        }

        return -1;
    }

    internal static string NameOf(JsonObject task) => task["Name"]?.GetValue<string>() ?? "";

    private static long IdOf(JsonObject task) =>
        task["TaskId"] is JsonValue value && value.TryGetValue(out long id) ? id : 0;

    private static string[] ExcludedOf(JsonObject task) =>
        [.. (task["ExcludedDatabases"] as JsonArray ?? []).OfType<JsonValue>().Select(one => one.GetValue<string>())];

    private static string[] ExcludedOf(JsonElement task) =>
        task.TryGetProperty("ExcludedDatabases"u8, out JsonElement names) && names.ValueKind == JsonValueKind.Array
            ? [.. names.EnumerateArray().Select(name => name.GetString()!)]
            : [];

    private static BadRequestException Wrong(string message) => new(400, ErrorType.Argument, message);
}
