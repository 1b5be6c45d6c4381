using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Documents.Backups;
using Raven.Documents.Operations;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Backups.S3;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The routes that read backups: restores, what can be restored, and verifications.</summary>
internal static class RestoreHandler
{
    [Route("POST", "/admin/restore/database", Access.Operator, Place = Place.Node,
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

        if (server.Cluster.TryGetGroup(name, out _))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"DatabaseName: The cluster has a database '{name}' already.");
        }

        if (BackupConfiguration.Text(json, "DataDirectory") is { Length: > 0 })
        {
            throw new BadRequestException(
                400, ErrorType.Argument, "DataDirectory: databases are in the folder of the server's data.");
        }

        request.Announce(database: name, resource: BackupSource.LocationOf(json));
        bool skips = BackupConfiguration.IsTrue(json, "SkipIndexes");
        bool disables = BackupConfiguration.IsTrue(json, "DisableOngoingTasks");
        await StartAsync(request, BackupSource.Of(server, json), name, isRestored: true, async (folder, wanted, stop) =>
        {
            RestoreRequest restore = wanted with
            {
                SkipsIndexes = skips,
                Record = made => RecordOf(made, wanted.Chain[^1], disables),
            };
            await DatabaseRestore.RunAsync(server.Databases, name, folder, restore, stop).ConfigureAwait(false);

            // In a cluster it is a group of this node alone now, which other nodes are added to.
            if (await server.Cluster.TakeInAsync(name, stop).ConfigureAwait(false) is { } problem)
            {
                server.Databases.TryDelete(name, hardDelete: true);
                throw new BackupException(problem);
            }
        }).ConfigureAwait(false);
    }

    [Route("POST", "/admin/restore/points", Access.Operator, Place = Place.Node,
        Audit = "backup.listed", Query = "type",
        Summary = "The backups in a folder, and the files that each of them can be restored up to")]
    internal static async ValueTask PostPointsAsync(RequestContext request)
    {
        using JsonDocument body = await ReadAsync(request).ConfigureAwait(false);
        using IBackupDestination destination = OpenPlace(request, body.RootElement);
        IReadOnlyList<string> names = await destination.ListAsync(request.Aborted).ConfigureAwait(false);
        List<(BackupFolder Folder, BackupManifest Manifest, int Files)> points = [];
        foreach (string name in names.Where(BackupFolder.IsOurs).Order(StringComparer.Ordinal))
        {
            List<string> problems = [];
            var folder = new BackupFolder(name, destination.Open(name));
            IReadOnlyList<BackupManifest> files = await folder.ReadBackupsAsync(problems, request.Aborted)
                .ConfigureAwait(false);
            points.AddRange(files.Select((manifest, index) => (folder, manifest with { Record = "" }, index + 1)));
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("List"u8);
        foreach ((BackupFolder folder, BackupManifest manifest, int files) in points)
        {
            WritePoint(json, folder, manifest, files);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    [Route("POST", "/admin/backup/verify", Access.Operator, Place = Place.Node,
        Audit = "backup.verified", Summary = "Compares a backup with its hashes, or restores it out of sight")]
    internal static async ValueTask PostVerifyAsync(RequestContext request)
    {
        using JsonDocument body = await ReadAsync(request).ConfigureAwait(false);
        JsonElement json = body.RootElement;
        ServerState server = request.Server;
        bool restores = BackupConfiguration.Choice(json, "Mode", "Hashes", "Hashes", "Restore") == "Restore";
        request.Announce(
            resource: BackupSource.LocationOf(json),
            detail: [new("mode", restores ? "Restore" : "Hashes")]);
        await StartAsync(request, BackupSource.Of(server, json), null, restores, async (folder, wanted, stop) =>
        {
            if (restores)
            {
                await DatabaseRestore.TryOutAsync(server.Databases, folder, wanted, stop).ConfigureAwait(false);
            }
            else
            {
                wanted.Restored(await BackupVerification.CheckFilesAsync(folder, wanted.Files, stop)
                    .ConfigureAwait(false));
            }
        }).ConfigureAwait(false);
    }

    /// <summary>Begins work on a backup as an operation, and answers with its number.</summary>
    /// <param name="request">The request.</param>
    /// <param name="source">The backup; it is closed behind the work.</param>
    /// <param name="database">The database that is made; null for the one that the backup is of.</param>
    /// <param name="isRestored">Whether the work restores it, for which there must be room.</param>
    /// <param name="work">The work.</param>
    private static async Task StartAsync(
        RequestContext request, BackupSource source, string? database, bool isRestored,
        Func<BackupFolder, RestoreRequest, CancellationToken, Task> work)
    {
        ServerState server = request.Server;
        (BackupFolder, RestoreRequest)? known = null;
        try
        {
            if (!source.IsRemote)
            {
                known = await source.ReadAsync(isRestored, request.Aborted).ConfigureAwait(false);
            }
        }
        catch
        {
            source.Dispose();
            throw;
        }

        RunningOperation operation = server.Operations.Begin(
            database ?? known?.Item2.Chain[^1].Database ?? source.Database, OperationStarter.Of(request));
        var detail = new BackupDetail();
        operation.Detail = detail;
        if (known is { } there)
        {
            detail.Reads(there.Item2);
        }

        _ = Task.Run(async () =>
        {
            try
            {
                await server.Backups.RunAsync(operation, async stop =>
                {
                    (BackupFolder folder, RestoreRequest wanted) = known
                        ?? await source.ReadAsync(isRestored, stop).ConfigureAwait(false);
                    detail.Reads(wanted);
                    wanted = wanted with
                    {
                        Checked = detail.Restored,
                        Restored = bytes => operation.Processed = bytes,
                    };
                    await work(folder, wanted, stop).ConfigureAwait(false);
                }).ConfigureAwait(false);
            }
            finally
            {
                source.Dispose();
                server.Operations.Ended(operation);
            }
        });
        OperationJson.WriteStarted(request, operation);
    }

    private static IBackupDestination OpenPlace(RequestContext request, JsonElement json)
    {
        if (BackupSource.IsS3(request.Query.GetText("type")))
        {
            S3Settings settings = S3Settings.Parse(json);
            request.Announce(resource: settings.Description);
            return BackupPlace.OpenS3(request.Server, settings);
        }

        string? path = BackupConfiguration.Text(json, "FolderPath");
        request.Announce(resource: path);
        return BackupPlace.OpenExisting(request.Server, path);
    }

    /// <summary>The record of a restored database: its tasks of backups do not run, unless they are to go on.</summary>
    private static byte[] RecordOf(string name, BackupManifest manifest, bool disables)
    {
        JsonObject record;
        try
        {
            record = BackupTasks.ToNode(Encoding.UTF8.GetBytes(manifest.Record));
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            throw new BackupException($"The record in the manifest of '{manifest.File}' is damaged: {e.Message}", e);
        }

        record["DatabaseName"] = name;
        foreach (JsonObject task in (record[BackupTasks.Member] as JsonArray ?? []).OfType<JsonObject>())
        {
            task["Disabled"] = disables || task["Disabled"]?.GetValueKind() == JsonValueKind.True;
        }

        return Encoding.UTF8.GetBytes(record.ToJsonString());
    }

    private static void WritePoint(
        Utf8JsonWriter json, BackupFolder folder, BackupManifest manifest, int files)
    {
        json.WriteStartObject();
        json.WriteTime("DateTime"u8, manifest.CreatedAt);
        json.WriteString("Location"u8, folder.Files.Description);
        json.WriteString("FileName"u8, manifest.File);
        json.WriteBoolean("IsSnapshotRestore"u8, manifest.Kind == BackupKind.Snapshot);
        json.WriteBoolean("IsEncrypted"u8, manifest.KeyCheck != null);
        json.WriteBoolean("IsIncremental"u8, !manifest.IsFull);
        json.WriteNumber("FilesToRestore"u8, files);
        json.WriteString("DatabaseName"u8, manifest.Database);
        json.WriteNumber("SizeInBytes"u8, manifest.LengthBytes);
        json.WriteEndObject();
    }

    private static async ValueTask<JsonDocument> ReadAsync(RequestContext request)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        return StoredJson.Parse(body.AsMemory());
    }
}
