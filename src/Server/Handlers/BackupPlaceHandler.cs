using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Backups;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Backups.S3;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of the places of backups: what a task is told, what a folder has room for, and whether a bucket
/// can be used.</summary>
internal static class BackupPlaceHandler
{
    private static readonly TimeSpan TestMax = TimeSpan.FromMinutes(2);

    [Route("GET", "/periodic-backup", Access.ValidUser, Place = Place.Node,
        Summary = "A task of backups as it was configured, without its secrets", Query = "name!, taskId:int")]
    internal static ValueTask GetConfigurationAsync(RequestContext request)
    {
        string name = request.Query.GetText("name") ?? "";
        request.Require(Access.DatabaseAdmin, name);
        if (!request.Server.Databases.TryGet(name, out Database? database))
        {
            DatabaseResolver.AnswerMissing(request, name);
            return ValueTask.CompletedTask;
        }

        long id = request.Query.GetInt64("taskId", 0);
        request.Server.Backups.Tasks.Show(database.Name, id).WriteTo(request.Response.BeginJson());
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/admin/backup-data-directory", Access.DatabaseAdmin, Place = Place.Primary,
        Summary = "A folder of backups, and the space that there is for them", Query = "path!")]
    internal static ValueTask GetDirectoryAsync(RequestContext request)
    {
        (string full, DriveInfo disk) = BackupPlace.Look(request, request.Query.GetText("path"));
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("List"u8);
        json.WriteStartObject();
        json.WriteString("NodeTag"u8, request.Server.Cluster.Tag);
        json.WriteString("FullPath"u8, full);
        json.WriteNumber("FreeSpaceInBytes"u8, disk.AvailableFreeSpace);
        json.WriteNumber("TotalSpaceInBytes"u8, disk.TotalSize);
        json.WriteNull("Error"u8);
        json.WriteEndObject();
        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/studio-tasks/periodic-backup/test-credentials", Access.Operator, Place = Place.Node,
        Audit = "backup.tested", Summary = "Writes a small file to a destination, reads it again and removes it",
        Query = "type!")]
    internal static async ValueTask PostTestAsync(RequestContext request)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        using JsonDocument document = StoredJson.Parse(body.AsMemory());
        string type = request.Query.GetText("type") ?? "";
        if (type is not ("S3" or "s3"))
        {
            throw new BadRequestException(
                501, ErrorType.NotSupported, $"Destinations of the type '{type}' are not tested, only those of S3.");
        }

        S3Settings settings = S3Settings.Parse(document.RootElement);
        request.Announce(resource: settings.Description);
        string? problem = await TestAsync(request, settings).ConfigureAwait(false);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteBoolean("Success"u8, problem == null);
        json.WriteString("Error"u8, problem);
        json.WriteEndObject();
    }

    private static async Task<string?> TestAsync(RequestContext request, S3Settings settings)
    {
        using S3Destination destination = BackupPlace.OpenS3(request.Server, settings);
        using var timer = new CancellationTokenSource(TestMax, request.Server.Time);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(
            request.Aborted, request.Server.Stopping, timer.Token);
        try
        {
            await destination.TestAsync($"raven-test-{Guid.NewGuid():N}", stop.Token).ConfigureAwait(false);
            return null;
        }
        catch (BackupException e)
        {
            return e.Message;
        }
        catch (OperationCanceledException) when (timer.IsCancellationRequested)
        {
            return $"{settings.Description} did not answer within {TestMax.TotalMinutes} minutes.";
        }
    }
}
