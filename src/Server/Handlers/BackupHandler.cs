using System.Globalization;
using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Operations;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The routes of backups: tasks, single ones, and how they went.</summary>
internal static class BackupHandler
{
    [Route("POST", "/databases/*/admin/periodic-backup", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "backup.configured", Summary = "Makes a task that backs a database up by a schedule, or changes one",
        Query = "raft-request-id")]
    internal static async ValueTask PostTaskAsync(RequestContext request)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        BackupConfiguration task = Parse(body, isPeriodic: true);
        BackupPlace.Check(request, task);
        if (task.Key is not (null or "*****"))
        {
            BackupKey.Parse(task.Key);
        }

        request.Announce(resource: task.Name, detail: [new("folder", task.Places)]);
        string database = request.Database.Name;
        RequireOneArchive(request, task);
        long id = request.Server.Backups.Tasks.Put(database, BackupTasks.ToNode(body));
        _ = request.Server.Backups.StatusOf(database, id);
        WriteTaskId(request, id);
    }

    [Route("POST", "/databases/*/admin/backup/database", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "backup.started", Summary = "Runs a task of backups now", Query = "isFullBackup:bool, taskId:int")]
    internal static ValueTask PostRunAsync(RequestContext request)
    {
        Database database = request.Database;
        BackupService backups = request.Server.Backups;
        bool isFull = request.Query.GetText("isFullBackup") is null || request.Query.GetBool("isFullBackup");
        long id = request.Query.GetInt64("taskId", 0);
        request.Announce(
            resource: id.ToString(CultureInfo.InvariantCulture), detail: [new("full", isFull ? "true" : "false")]);
        BackupConfiguration task = backups.Tasks.Find(database.Name, id);
        WriteStarted(request, backups.Start(database, task, isFull, OperationStarter.Of(request)));
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/databases/*/admin/backup", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "backup.started", Summary = "Backs a database up once")]
    internal static async ValueTask PostOnceAsync(RequestContext request)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        BackupConfiguration once = Parse(body, isPeriodic: false) with { TaskId = 0 };
        BackupPlace.Check(request, once);
        _ = once.ToKey();
        once.S3?.RequireSecrets();
        request.Announce(resource: once.Places, detail: [new("full", "true")]);
        WriteStarted(
            request, request.Server.Backups.StartOnce(request.Database, once, OperationStarter.Of(request)));
    }

    [Route("GET", "/periodic-backup/status", Access.ValidUser, Place = Place.Node,
        Summary = "How the runs of a task of backups went", Query = "name!, taskId:int")]
    internal static ValueTask GetStatusAsync(RequestContext request)
    {
        Database? database = Named(request, Access.Read, request.Query.GetText("name"));
        if (database == null)
        {
            return ValueTask.CompletedTask;
        }

        BackupService backups = request.Server.Backups;
        BackupConfiguration task = backups.Tasks.Find(database.Name, request.Query.GetInt64("taskId", 0));
        BackupStatus status = backups.StatusOf(database.Name, task.TaskId);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WritePropertyName("Status"u8);
        if (status.HasRun)
        {
            status.ToJson().WriteTo(json);
        }
        else
        {
            json.WriteNullValue();
        }

        json.WriteBoolean("IsSharded"u8, value: false);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/admin/periodic-backup/config", Access.DatabaseAdmin, Place = Place.Any,
        Summary = "Where backups may go")]
    internal static ValueTask GetConfigurationAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("LocalRootPath"u8, request.Server.Options.BackupRootPath);
        json.WriteStartArray("AllowedDestinations"u8);
        foreach (string kind in BackupPlace.AllowedKinds(request.Server.Options))
        {
            json.WriteStringValue(kind == "S3" ? "AmazonS3" : kind);
        }

        json.WriteEndArray();
        json.WriteStartArray("AllowedAwsRegions"u8);
        foreach (string region in request.Server.Options.BackupRegions)
        {
            json.WriteStringValue(region);
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/admin/backup/running", Access.DatabaseAdmin, Place = Place.Primary,
        Summary = "The run of a task of backups that is under way", Query = "taskId:int")]
    internal static ValueTask GetRunningAsync(RequestContext request)
    {
        long id = request.Query.GetInt64("taskId", 0);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WritePropertyName("OnGoingBackup"u8);
        BackupTaskJson.WriteRunning(json, request.Server, request.Database.Name, id);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/admin/backup-task/delay", Access.Operator, Place = Place.Node,
        Audit = "backup.delayed", Summary = "Ends the run of a task of backups, and puts the next one off",
        Query = "database!, taskId:int, duration!")]
    internal static async ValueTask PostDelayAsync(RequestContext request)
    {
        string text = request.Query.GetText("duration") ?? "";
        if (!TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan duration)
            || duration <= TimeSpan.Zero || duration > TimeSpan.FromDays(365))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"duration: '{text}' is no time such as 01:30:00, of a year at most.");
        }

        Database? database = Named(request, Access.DatabaseAdmin, request.Query.GetText("database"));
        if (database == null)
        {
            return;
        }

        BackupService backups = request.Server.Backups;
        long id = request.Query.GetInt64("taskId", 0);
        request.Announce(
            database: database.Name, resource: id.ToString(CultureInfo.InvariantCulture),
            detail: [new("duration", text)]);
        BackupConfiguration task = backups.Tasks.Find(database.Name, id);
        if (backups.RunOf(database.Name, task.TaskId) is not { } run)
        {
            throw new BadRequestException(
                404, ErrorType.InvalidOperation, $"The task '{task.Name}' of '{database.Name}' does not run now.");
        }

        run.Operation.Kill();
        await run.Operation.Ended.WaitAsync(request.Aborted).ConfigureAwait(false);
        backups.StatusOf(database.Name, task.TaskId).Delay(request.Server.Time.GetUtcNow() + duration);
        request.Response.Status = 204;
    }

    [Route("GET", "/studio-tasks/next-cron-expression-occurrence", Access.ValidUser, Place = Place.Node,
        Summary = "When a schedule comes true next", Query = "expression!")]
    internal static ValueTask GetNextAsync(RequestContext request)
    {
        string text = request.Query.GetText("expression") ?? "";
        bool isValid = BackupConfiguration.TryCron(text, out Cronos.CronExpression? cron, out string problem);
        DateTimeOffset? next = BackupSchedule.Next(
            cron, request.Server.Time.GetUtcNow(), request.Server.Backups.Zone);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteBoolean("IsValid"u8, isValid);
        json.WriteString("ErrorMessage"u8, isValid ? null : problem);
        json.WriteTime("Utc"u8, next);
        json.WriteString(
            "ServerTime"u8,
            next is { } at
                ? TimeZoneInfo.ConvertTime(at, request.Server.Backups.Zone)
                    .ToString("yyyy-MM-ddTHH:mm:ss.fffffff", CultureInfo.InvariantCulture)
                : null);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    /// <summary>The journal is given up when the archive has it: there is one.</summary>
    private static void RequireOneArchive(RequestContext request, BackupConfiguration task)
    {
        if (task.ArchivesJournal && Array.Find(
            request.Server.Backups.Tasks.Of(request.Database.Name),
            other => other.ArchivesJournal && other.TaskId != task.TaskId) is { } there)
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"ArchiveJournal: the task '{there.Name}' archives the journal already.");
        }
    }

    private static BackupConfiguration Parse(byte[] body, bool isPeriodic)
    {
        using JsonDocument document = StoredJson.Parse(body.AsMemory());
        return BackupConfiguration.Parse(document.RootElement, isPeriodic);
    }

    /// <summary>The database that a parameter names; null if there is none, and that is answered.</summary>
    private static Database? Named(RequestContext request, Access access, string? parameter)
    {
        string name = parameter ?? "";
        request.Require(access, name);
        if (request.Server.Databases.TryGet(name, out Database? database))
        {
            return database;
        }

        DatabaseResolver.AnswerMissing(request, name);
        return null;
    }

    private static void WriteTaskId(RequestContext request, long id)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, request.Server.NextCommandIndex());
        json.WriteNumber("TaskId"u8, id);
        json.WriteEndObject();
    }

    private static void WriteStarted(RequestContext request, RunningOperation operation)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("ResponsibleNode"u8, request.Server.Cluster.Tag);
        json.WriteNumber("OperationId"u8, operation.Id);
        json.WriteEndObject();
    }
}
