using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven backup</c> and <c>raven restore</c>: backups of the server of this machine.
/// </summary>
internal static class BackupVerbs
{
    private static readonly Argument<string> Database = new("database") { Description = "The name of the database" };

    private static readonly Argument<string> Location = new("folder")
    {
        Description = "The folder of a backup: the one with the files in it",
    };

    private static readonly Argument<string?> Target = new("folder")
    {
        Description = "Where the backup goes", Arity = ArgumentArity.ZeroOrOne,
    };

    private static readonly Option<long> Task = new("--task")
    {
        Description = "Runs a task of the database by its number, into the task's own folder",
    };

    private static readonly Option<bool> Incremental = new("--incremental")
    {
        Description = "With --task: only what has changed since its last run",
    };

    private static readonly Option<bool> Snapshot = new("--snapshot") { Description = "Makes a snapshot" };

    private static readonly Option<string?> KeyFile = new("--key-file")
    {
        Description = "A file with the key, base64 of 32 bytes: encrypts the backup, or opens one",
    };

    private static readonly Option<string?> Upto = new("--file")
    {
        Description = "The last file that is restored; all of the folder if it is not given",
    };

    private static readonly Option<string?> To = new("--to")
    {
        Description = "A time such as 2026-11-26T08:00:00Z: the last transaction then or before is the last one that "
            + "is restored; needs a task with ArchiveJournal",
    };

    private static readonly Option<string?> Bucket = new("--s3")
    {
        Description = "A file with the settings of a bucket, the JSON of S3Settings: the folder is one in the bucket",
    };

    private static readonly Option<bool> DisableTasks = new("--disable-tasks")
    {
        Description = "The tasks of the restored database do not run",
    };

    private static readonly Option<bool> SkipIndexes = new("--skip-indexes")
    {
        Description = "The restored database has no indexes",
    };

    private static readonly Option<bool> Restores = new("--restore")
    {
        Description = "Restores it out of sight and checks every page, in place of its hashes alone",
    };

    /// <summary>All of them.</summary>
    internal static IEnumerable<Command> Create() =>
    [
        new Command("backup", "Backups of the databases of this machine's server")
        {
            AdminVerb.Of(
                "run", "Back a database up into a folder, or run one of its tasks",
                [Database, Target, Task, Incremental, Snapshot, KeyFile, Bucket], BackUpAsync),
            AdminVerb.Of(
                "verify", "Compare a backup with its hashes, or restore it out of sight",
                [Location, Upto, To, KeyFile, Bucket, Restores], VerifyAsync),
        },
        AdminVerb.Of(
            "restore", "Restore a database from a backup, under a name that none has",
            [Location, Database, Upto, To, KeyFile, Bucket, DisableTasks, SkipIndexes], RestoreAsync),
    ];

    private static Task<int> BackUpAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        string database = Uri.EscapeDataString(parsed.GetValue(Database)!);
        if (parsed.GetValue(Task) is > 0 and long task)
        {
            string full = parsed.GetValue(Incremental) ? "false" : "true";
            string path = string.Create(
                CultureInfo.InvariantCulture,
                $"/databases/{database}/admin/backup/database?isFullBackup={full}&taskId={task}");
            return RunAsync(parsed, server, output, path, null);
        }

        var body = new JsonObject { ["BackupType"] = parsed.GetValue(Snapshot) ? "Snapshot" : "Backup" };
        string? folder = parsed.GetValue(Target);
        if (parsed.GetValue(Bucket) is { } bucket)
        {
            body["S3Settings"] = SettingsOf(bucket, folder);
        }
        else if (folder is { Length: > 0 })
        {
            body["LocalSettings"] = new JsonObject { ["FolderPath"] = Path.GetFullPath(folder) };
        }
        else
        {
            throw new ArgumentException(
                "Name the folder that the backup goes to, a task with --task, or a bucket with --s3.");
        }

        if (KeyOf(parsed) is { } key)
        {
            body["BackupEncryptionSettings"] =
                new JsonObject { ["EncryptionMode"] = "UseProvidedKey", ["Key"] = key };
        }

        return RunAsync(parsed, server, output, $"/databases/{database}/admin/backup", body);
    }

    private static Task<int> RestoreAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        JsonObject body = SourceOf(parsed);
        body["DatabaseName"] = parsed.GetValue(Database);
        body["DisableOngoingTasks"] = parsed.GetValue(DisableTasks);
        body["SkipIndexes"] = parsed.GetValue(SkipIndexes);
        return RunAsync(parsed, server, output, "/admin/restore/database", body);
    }

    private static Task<int> VerifyAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        JsonObject body = SourceOf(parsed);
        body["Mode"] = parsed.GetValue(Restores) ? "Restore" : "Hashes";
        return RunAsync(parsed, server, output, "/admin/backup/verify", body);
    }

    private static JsonObject SourceOf(ParseResult parsed)
    {
        var body = new JsonObject
        {
            ["LastFileNameToRestore"] = parsed.GetValue(Upto),
            ["RestoreTo"] = parsed.GetValue(To),
            ["EncryptionKey"] = KeyOf(parsed),
        };
        if (parsed.GetValue(Bucket) is { } bucket)
        {
            body["Type"] = "S3";
            body["Settings"] = SettingsOf(bucket, parsed.GetValue(Location));
        }
        else
        {
            body["Type"] = "Local";
            body["BackupLocation"] = Path.GetFullPath(parsed.GetValue(Location)!);
        }

        return body;
    }

    /// <summary>The settings in a file, for a folder below the one that they name.</summary>
    private static JsonObject SettingsOf(string file, string? folder)
    {
        JsonObject? settings;
        try
        {
            settings = JsonNode.Parse(File.ReadAllText(file)) as JsonObject;
        }
        catch (JsonException e)
        {
            throw new FormatException($"'{file}' is not JSON: {e.Message}", e);
        }

        if (settings is null)
        {
            throw new FormatException($"'{file}' is not the JSON of S3Settings.");
        }

        string above = settings["RemoteFolderName"] is JsonValue value && value.TryGetValue(out string? text)
            ? text
            : "";
        string[] parts = [above.Trim('/'), (folder ?? "").Trim('/')];
        settings["RemoteFolderName"] = string.Join('/', parts.Where(static part => part.Length > 0));
        return settings;
    }

    private static string? KeyOf(ParseResult parsed) =>
        parsed.GetValue(KeyFile) is { } file ? SecretFile.ReadLine(file) : null;

    /// <summary>Starts an operation, and waits for its end.</summary>
    private static async Task<int> RunAsync(
        ParseResult parsed, AdminClient server, VerbOutput output, string path, JsonNode? body)
    {
        if (await AdminOperation.RunAsync(parsed, server, output, path, body) is not { } result)
        {
            return ExitCode.ServerFailed;
        }

        if (result["LocalBackup"]?["BackupDirectory"] is { } directory)
        {
            await output.Lines.WriteLineAsync($"{directory}/{result["LocalBackup"]!["FileName"]}");
        }

        if (result["Documents"] is { } documents)
        {
            string at = result["CommittedAt"] is { } time ? $", of {time}" : "";
            await output.Lines.WriteLineAsync($"{documents} documents, up to change {result["LastEtag"]}{at}");
        }

        foreach (JsonNode? secret in result["SecretsToEnter"]?.AsArray() ?? [])
        {
            await output.Lines.WriteLineAsync($"To be entered again: {secret}");
        }

        foreach (JsonNode? message in result["Messages"]?.AsArray() ?? [])
        {
            await output.Lines.WriteLineAsync($"{message}");
        }

        return ExitCode.Success;
    }
}
