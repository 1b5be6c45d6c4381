using System.Globalization;
using System.Text.Json;
using Raven.Documents.Operations;

namespace Raven.Server.Http.Backups;

/// <summary>The JSON of a task of backups as clients read ongoing tasks.</summary>
internal static class BackupTaskJson
{
    /// <summary>Writes a task.</summary>
    internal static void Write(Utf8JsonWriter json, RequestContext request, BackupConfiguration task)
    {
        ServerState server = request.Server;
        string database = request.Database.Name;
        BackupStatus status = server.Backups.StatusOf(database, task.TaskId);
        DateTimeOffset now = server.Time.GetUtcNow();
        json.WriteStartObject();
        json.WriteNumber("TaskId"u8, task.TaskId);
        json.WriteString("TaskType"u8, "Backup"u8);
        json.WriteString("TaskName"u8, task.Name);
        json.WriteString("TaskState"u8, task.IsDisabled ? "Disabled"u8 : "Enabled"u8);
        json.WriteString("TaskConnectionStatus"u8, task.IsDisabled ? "NotActive"u8 : "Active"u8);
        string owner = server.Cluster.OwnerOf(database, task.TaskId) ?? server.Cluster.Tag;
        json.WriteStartObject("ResponsibleNode"u8);
        json.WriteString("NodeTag"u8, owner);
        json.WriteString("NodeUrl"u8, server.Cluster.Cluster.Find(owner)?.Url ?? server.Url);
        json.WriteString("ResponsibleNode"u8, owner);
        json.WriteEndObject();
        json.WriteString("MentorNode"u8, task.MentorNode);
        json.WriteString("Error"u8, status.Error);
        json.WriteString("BackupType"u8, task.IsSnapshot ? "Snapshot"u8 : "Backup"u8);
        json.WriteStartArray("BackupDestinations"u8);
        if (task.FolderPath != null)
        {
            json.WriteStringValue("Local"u8);
        }

        if (task.S3 != null)
        {
            json.WriteStringValue("AmazonS3"u8);
        }

        json.WriteEndArray();
        json.WriteTime("LastFullBackup"u8, status.LastFull);
        json.WriteTime("LastIncrementalBackup"u8, status.LastIncremental);
        json.WriteString("LastExecutingNodeTag"u8, status.HasRun ? server.Cluster.Tag : null);
        json.WriteBoolean("IsEncrypted"u8, task.Key != null);
        json.WritePropertyName("OnGoingBackup"u8);
        WriteRunning(json, server, database, task.TaskId);
        json.WritePropertyName("NextBackup"u8);
        if (BackupSchedule.Next(task, status, now, server.Backups.Zone) is { } next)
        {
            json.WriteStartObject();
            TimeSpan left = next.At > now ? next.At - now : TimeSpan.Zero;
            json.WriteString("TimeSpan"u8, left.ToString("c", CultureInfo.InvariantCulture));
            json.WriteTime("DateTime"u8, next.At);
            json.WriteBoolean("IsFull"u8, next.IsFull);
            json.WriteTime("OriginalBackupTime"u8, next.At);
            json.WriteEndObject();
        }
        else
        {
            json.WriteNullValue();
        }

        json.WriteStartObject("RetentionPolicy"u8);
        json.WriteBoolean("Disabled"u8, task.Retention == null);
        json.WriteString("MinimumBackupAgeToKeep"u8, task.Retention?.ToString("c", CultureInfo.InvariantCulture));
        json.WriteEndObject();
        json.WriteEndObject();
    }

    /// <summary>Writes the run of a task; null if none is under way.</summary>
    internal static void WriteRunning(Utf8JsonWriter json, ServerState server, string database, long taskId)
    {
        if (server.Backups.RunOf(database, taskId) is not { } run)
        {
            json.WriteNullValue();
            return;
        }

        RunningOperation operation = run.Operation;
        json.WriteStartObject();
        json.WriteTime("StartTime"u8, operation.StartedAt);
        json.WriteBoolean("IsFull"u8, run.IsFull);
        json.WriteNumber("RunningBackupTaskId"u8, operation.Id);
        json.WriteEndObject();
    }
}
