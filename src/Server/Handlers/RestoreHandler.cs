using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Documents;
using Raven.Documents.Backups;
using Raven.Documents.Operations;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The routes that read backups: restores, what can be restored, and verifications.</summary>
internal static class RestoreHandler
{
    [Route("POST", "/admin/restore/database", Access.Operator,
        Audit = "database.restored", Summary = "Restores a database from a backup, under a name that none has")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        using JsonDocument body = await ReadAsync(request).ConfigureAwait(false);
        JsonElement json = body.RootElement;
        string name = BackupConfiguration.Text(json, "DatabaseName") ?? "";
        ServerState server = request.Server;
        if (server.Databases.Restores.FindRefusal(name) is { } refusal)
        {
            throw new BadRequestException(400, ErrorType.Argument, $"DatabaseName: {refusal}");
        }

        if (BackupConfiguration.Text(json, "DataDirectory") is { Length: > 0 })
        {
            throw new BadRequestException(
                400, ErrorType.Argument, "DataDirectory: databases are in the folder of the server's data.");
        }

        request.Announce(database: name, resource: BackupConfiguration.Text(json, "BackupLocation"));
        (BackupFolder folder, RestoreRequest wanted) = Open(server, json);
        bool disables = BackupConfiguration.IsTrue(json, "DisableOngoingTasks");
        RunningOperation operation = server.Operations.Begin(name, OperationStarter.Of(request));
        var detail = new BackupDetail();
        RestoreRequest restore = wanted with
        {
            Checked = detail.Restored,
            SkipsIndexes = BackupConfiguration.IsTrue(json, "SkipIndexes"),
            Record = made => RecordOf(made, wanted.Chain[^1], disables),
            Restored = bytes => operation.Processed = bytes,
        };
        Run(
            server, operation, detail, restore,
            stop => DatabaseRestore.RunAsync(server.Databases, name, folder, restore, stop));
        OperationJson.WriteStarted(request.Response.BeginJson(), operation);
    }

    [Route("POST", "/admin/restore/points", Access.Operator,
        Audit = "backup.listed", Query = "type",
        Summary = "The backups in a folder, and the files that each of them can be restored up to")]
    internal static async ValueTask PostPointsAsync(RequestContext request)
    {
        using JsonDocument body = await ReadAsync(request).ConfigureAwait(false);
        string? path = BackupConfiguration.Text(body.RootElement, "FolderPath");
        request.Announce(resource: path);
        RequireLocal(request.Query.GetText("type"));
        IDatabaseFolders folders = BackupPlace.OpenExisting(request.Server, path);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("List"u8);
        foreach (string name in folders.List().Order(StringComparer.Ordinal))
        {
            List<string> problems = [];
            int count = 0;
            BackupFolder folder = DatabaseRestore.Open(folders, name);
            foreach (BackupManifest manifest in folder.ReadAll(problems).Where(one => one.Kind != BackupKind.Journal))
            {
                WritePoint(json, folders, name, manifest, ++count);
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    [Route("POST", "/admin/backup/verify", Access.Operator,
        Audit = "backup.verified", Summary = "Compares a backup with its hashes, or restores it out of sight")]
    internal static async ValueTask PostVerifyAsync(RequestContext request)
    {
        using JsonDocument body = await ReadAsync(request).ConfigureAwait(false);
        JsonElement json = body.RootElement;
        ServerState server = request.Server;
        bool restores = BackupConfiguration.Choice(json, "Mode", "Hashes", "Hashes", "Restore") == "Restore";
        request.Announce(
            resource: BackupConfiguration.Text(json, "BackupLocation"),
            detail: [new("mode", restores ? "Restore" : "Hashes")]);
        (BackupFolder folder, RestoreRequest wanted) = Open(server, json);
        RunningOperation operation = server.Operations.Begin(wanted.Chain[^1].Database, OperationStarter.Of(request));
        var detail = new BackupDetail();
        RestoreRequest restore = wanted with
        {
            Checked = detail.Restored, Restored = bytes => operation.Processed = bytes,
        };
        Run(server, operation, detail, restore, stop =>
        {
            if (restores)
            {
                return DatabaseRestore.TryOutAsync(server.Databases, folder, restore, stop);
            }

            operation.Processed = BackupVerification.CheckFiles(folder, restore.Files, stop);
            return Task.CompletedTask;
        });
        OperationJson.WriteStarted(request.Response.BeginJson(), operation);
    }

    private static void Run(
        ServerState server, RunningOperation operation, BackupDetail detail, RestoreRequest request,
        Func<CancellationToken, Task> work)
    {
        detail.Reads(request);
        operation.Detail = detail;
        _ = Task.Run(async () =>
        {
            try
            {
                await server.Backups.RunAsync(operation, work).ConfigureAwait(false);
            }
            finally
            {
                server.Operations.Ended(operation);
            }
        });
    }

    private static (BackupFolder, RestoreRequest) Open(ServerState server, JsonElement json)
    {
        RequireLocal(BackupConfiguration.Text(json, "Type"));
        (IDatabaseFolders folders, string name) = BackupPlace.OpenBackup(
            server, BackupConfiguration.Text(json, "BackupLocation"));
        BackupFolder folder = DatabaseRestore.Open(folders, name);
        string? last = BackupConfiguration.Text(json, "LastFileNameToRestore");
        DateTimeOffset? to = TimeOf(json, last);
        (IReadOnlyList<BackupManifest> chain, IReadOnlyList<BackupManifest> journal) =
            to is { } time ? ArchivedJournal.Find(folder, time) : (folder.ReadChain(last), []);
        string? key = BackupConfiguration.Text(json, "EncryptionKey");
        if (BackupConfiguration.Member(json, "BackupEncryptionSettings")
            is { ValueKind: JsonValueKind.Object } settings)
        {
            key = BackupConfiguration.Text(settings, "Key") ?? key;
        }

        var request = new RestoreRequest
        {
            Chain = chain,
            Journal = journal,
            To = to,
            Cipher = string.IsNullOrEmpty(key) ? null : BackupKey.Parse(key),
        };
        DatabaseRestore.RequireKey(request.Files, request.Cipher);
        return (folder, request);
    }

    private static DateTimeOffset? TimeOf(JsonElement json, string? last)
    {
        if (BackupConfiguration.Text(json, "RestoreTo") is not { Length: > 0 } text)
        {
            return null;
        }

        const DateTimeStyles style = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
        return !DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, style, out DateTimeOffset time)
            ? throw new BadRequestException(
                400, ErrorType.Argument, $"RestoreTo: '{text}' is no time such as 2026-11-26T08:00:00Z.")
            : last is { Length: > 0 }
            ? throw new BadRequestException(
                400, ErrorType.Argument, "RestoreTo and LastFileNameToRestore say two things: name one of them.")
            : time;
    }

    /// <summary>The record of a restored database: its tasks of backups do not run, unless they are to go on.</summary>
    private static byte[] RecordOf(string name, BackupManifest manifest, bool disables)
    {
        JsonObject record = BackupTasks.ToNode(Encoding.UTF8.GetBytes(manifest.Record));
        record["DatabaseName"] = name;
        foreach (JsonObject task in (record[BackupTasks.Member] as JsonArray ?? []).OfType<JsonObject>())
        {
            task["Disabled"] = disables || task["Disabled"]?.GetValueKind() == JsonValueKind.True;
        }

        return Encoding.UTF8.GetBytes(record.ToJsonString());
    }

    private static void WritePoint(
        Utf8JsonWriter json, IDatabaseFolders folders, string folder, BackupManifest manifest, int files)
    {
        json.WriteStartObject();
        json.WriteTime("DateTime"u8, manifest.CreatedAt);
        json.WriteString("Location"u8, folders.Open(folder).Description);
        json.WriteString("FileName"u8, manifest.File);
        json.WriteBoolean("IsSnapshotRestore"u8, manifest.Kind == BackupKind.Snapshot);
        json.WriteBoolean("IsEncrypted"u8, manifest.KeyCheck != null);
        json.WriteBoolean("IsIncremental"u8, !manifest.IsFull);
        json.WriteNumber("FilesToRestore"u8, files);
        json.WriteString("DatabaseName"u8, manifest.Database);
        json.WriteNumber("SizeInBytes"u8, manifest.LengthBytes);
        json.WriteEndObject();
    }

    private static void RequireLocal(string? type)
    {
        if (type is { Length: > 0 } && !type.Equals("Local", StringComparison.OrdinalIgnoreCase))
        {
            throw new BadRequestException(
                501, ErrorType.NotSupported, $"Backups of the type '{type}' are not served, only those of Local.");
        }
    }

    private static async ValueTask<JsonDocument> ReadAsync(RequestContext request)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        return StoredJson.Parse(body.AsMemory());
    }
}
