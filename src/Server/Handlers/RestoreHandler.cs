using System.Globalization;
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

        request.Announce(database: name, resource: LocationOf(json));
        using Opened opened = await OpenAsync(request, json).ConfigureAwait(false);
        (BackupFolder folder, RestoreRequest wanted) = opened;
        RequireSpace(server, wanted);
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
            server, operation, detail, restore, opened.Keep(),
            stop => DatabaseRestore.RunAsync(server.Databases, name, folder, restore, stop));
        OperationJson.WriteStarted(request.Response.BeginJson(), operation);
    }

    [Route("POST", "/admin/restore/points", Access.Operator,
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

    [Route("POST", "/admin/backup/verify", Access.Operator,
        Audit = "backup.verified", Summary = "Compares a backup with its hashes, or restores it out of sight")]
    internal static async ValueTask PostVerifyAsync(RequestContext request)
    {
        using JsonDocument body = await ReadAsync(request).ConfigureAwait(false);
        JsonElement json = body.RootElement;
        ServerState server = request.Server;
        bool restores = BackupConfiguration.Choice(json, "Mode", "Hashes", "Hashes", "Restore") == "Restore";
        request.Announce(
            resource: LocationOf(json),
            detail: [new("mode", restores ? "Restore" : "Hashes")]);
        using Opened opened = await OpenAsync(request, json).ConfigureAwait(false);
        (BackupFolder folder, RestoreRequest wanted) = opened;
        if (restores)
        {
            RequireSpace(server, wanted);
        }

        RunningOperation operation = server.Operations.Begin(wanted.Chain[^1].Database, OperationStarter.Of(request));
        var detail = new BackupDetail();
        RestoreRequest restore = wanted with
        {
            Checked = detail.Restored,
            Restored = bytes => operation.Processed = bytes,
        };
        Run(server, operation, detail, restore, opened.Keep(), async stop =>
        {
            if (restores)
            {
                await DatabaseRestore.TryOutAsync(server.Databases, folder, restore, stop).ConfigureAwait(false);
            }
            else
            {
                operation.Processed = await BackupVerification.CheckFilesAsync(folder, restore.Files, stop)
                    .ConfigureAwait(false);
            }
        });
        OperationJson.WriteStarted(request.Response.BeginJson(), operation);
    }

    private static void Run(
        ServerState server, RunningOperation operation, BackupDetail detail, RestoreRequest request, Opened opened,
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
                opened.Dispose();
                server.Operations.Ended(operation);
            }
        });
    }

    /// <summary>Opens the folder of a backup that a body names, in a folder or in a bucket.</summary>
    private static async Task<Opened> OpenAsync(RequestContext request, JsonElement json)
    {
        ServerState server = request.Server;
        (IBackupDestination destination, string name) = IsS3(BackupConfiguration.Text(json, "Type"))
            ? BackupPlace.OpenBackup(server, SettingsOf(json))
            : BackupPlace.OpenBackup(server, BackupConfiguration.Text(json, "BackupLocation"));
        try
        {
            BackupFolder folder = await DatabaseRestore.OpenAsync(destination, name, request.Aborted)
                .ConfigureAwait(false);
            string? last = BackupConfiguration.Text(json, "LastFileNameToRestore");
            DateTimeOffset? to = TimeOf(json, last);
            (IReadOnlyList<BackupManifest> chain, IReadOnlyList<BackupManifest> journal) =
                await FindAsync(folder, last, to, request.Aborted).ConfigureAwait(false);
            string? key = BackupConfiguration.Text(json, "EncryptionKey");
            if (BackupConfiguration.Member(json, "BackupEncryptionSettings")
                is { ValueKind: JsonValueKind.Object } settings)
            {
                key = BackupConfiguration.Text(settings, "Key") ?? key;
            }

            var wanted = new RestoreRequest
            {
                Chain = chain,
                Journal = journal,
                To = to,
                Cipher = string.IsNullOrEmpty(key) ? null : BackupKey.Parse(key),
            };
            DatabaseRestore.RequireKey(wanted.Files, wanted.Cipher);
            return new Opened(destination, folder, wanted);
        }
        catch
        {
            destination.Dispose();
            throw;
        }
    }

    /// <summary>The files up to the last one that a body names, or up to its time.</summary>
    private static async Task<(IReadOnlyList<BackupManifest> Chain, IReadOnlyList<BackupManifest> Journal)> FindAsync(
        BackupFolder folder, string? last, DateTimeOffset? to, CancellationToken cancellation) =>
        to is { } time
            ? await ArchivedJournal.FindAsync(folder, time, cancellation).ConfigureAwait(false)
            : (await folder.ReadChainAsync(
                string.IsNullOrEmpty(last) ? null : last[(last.LastIndexOf('/') + 1)..], cancellation)
                .ConfigureAwait(false), []);

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

    /// <summary>A restore that has no room would fail at its end, with the disk full for all others.</summary>
    private static void RequireSpace(ServerState server, RestoreRequest wanted)
    {
        // Pieces of the journal are written over the pages that are there: their length says nothing.
        long needed = Math.Max(wanted.Files[^1].StorageBytes, wanted.Chain.Sum(static one => one.LengthBytes));
        long free = server.Options.RunInMemory
            ? server.Memory.LimitBytes
            : new DriveInfo(server.DataFolder).AvailableFreeSpace;
        if (needed > free)
        {
            throw new BadRequestException(
                507, ErrorType.DiskFull,
                $"The database takes {needed:N0} bytes when it is restored, and there are {free:N0}.");
        }
    }

    private static IBackupDestination OpenPlace(RequestContext request, JsonElement json)
    {
        if (IsS3(request.Query.GetText("type")))
        {
            S3Settings settings = S3Settings.Parse(json);
            request.Announce(resource: settings.Description);
            return BackupPlace.OpenS3(request.Server, settings);
        }

        string? path = BackupConfiguration.Text(json, "FolderPath");
        request.Announce(resource: path);
        return BackupPlace.OpenExisting(request.Server, path);
    }

    private static S3Settings SettingsOf(JsonElement json) => S3Settings.Parse(
        BackupConfiguration.Member(json, "Settings")
        ?? throw new BadRequestException(400, ErrorType.Argument, "Settings must say where the backup is in S3."));

    private static string? LocationOf(JsonElement json) =>
        IsS3(BackupConfiguration.Text(json, "Type"))
            ? SettingsOf(json).Description
            : BackupConfiguration.Text(json, "BackupLocation");

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

    private static bool IsS3(string? type)
    {
        if (type is { Length: > 0 } && !type.Equals("Local", StringComparison.OrdinalIgnoreCase)
            && !type.Equals("S3", StringComparison.OrdinalIgnoreCase))
        {
            throw new BadRequestException(
                501, ErrorType.NotSupported,
                $"Backups of the type '{type}' are not served, only those of Local and S3.");
        }

        return string.Equals(type, "S3", StringComparison.OrdinalIgnoreCase);
    }

    private static async ValueTask<JsonDocument> ReadAsync(RequestContext request)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        return StoredJson.Parse(body.AsMemory());
    }

    /// <summary>A backup that was opened; it is closed by whoever has it last.</summary>
    private sealed class Opened(IBackupDestination destination, BackupFolder folder, RestoreRequest request)
        : IDisposable
    {
        private IBackupDestination? _destination = destination;

        public void Dispose() => _destination?.Dispose();

        internal void Deconstruct(out BackupFolder opened, out RestoreRequest wanted) =>
            (opened, wanted) = (folder, request);

        /// <summary>Hands it on to an operation: this one closes nothing any more.</summary>
        internal Opened Keep()
        {
            IBackupDestination kept = _destination!;
            _destination = null;
            return new Opened(kept, folder, request);
        }
    }
}
