using System.CommandLine;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;
using Raven.Server;
using Raven.Server.Options;

namespace Raven.CommandLine.Admin;

/// <summary>
/// <c>raven audit</c>: the server that writes the audit log checks it; if none runs, this program reads its files.
/// </summary>
internal static class AuditVerbs
{
    private static readonly Option<string?> Folder = new("--folder")
    {
        Description = "The folder of the log; that of Security.AuditLog.FolderPath if it is not given",
    };

    private static readonly Option<string?> Key = new("--master-key")
    {
        Description = "The file of the master key, if it is not where the server's options say",
    };

    /// <summary>The verb with those below it.</summary>
    internal static Command Create() => new("audit", "The audit log")
    {
        AdminVerb.Offline(
            "verify", "Find the places at which the log was changed behind the server's back",
            [Folder, Key, AdminOptions.SocketPath], VerifyAsync),
    };

    private static async Task<int> VerifyAsync(ParseResult parsed, VerbOutput output)
    {
        ServerOptions options = AdminOptions.Read(parsed);
        options = options with
        {
            Security = options.Security with
            {
                AuditFolder = parsed.GetValue(Folder) is { } folder
                    ? Path.GetFullPath(folder)
                    : options.Security.AuditFolder,
                MasterKeyPath = parsed.GetValue(Key) is { } key
                    ? Path.GetFullPath(key)
                    : options.Security.MasterKeyPath,
            },
        };
        string socket = AdminOptions.SocketOf(parsed);
        IReadOnlyList<string> faults = await AdminClient.AnswersAsync(socket)
            ? await AskAsync(socket)
            : OfflineServer.VerifyAudit(options, TimeProvider.System);
        foreach (string fault in faults)
        {
            await output.Lines.WriteLineAsync(fault);
        }

        if (faults.Count == 0)
        {
            await output.Lines.WriteLineAsync("No line of the audit log was changed.");
        }

        output.Set("Findings", new JsonArray([.. faults.Select(fault => (JsonNode?)JsonValue.Create(fault))]));
        return faults.Count == 0 ? ExitCode.Success : ExitCode.BrokenInput;
    }

    /// <summary>The server that writes the log has its key, and the storage in which its end is kept.</summary>
    private static async Task<IReadOnlyList<string>> AskAsync(string socket)
    {
        using var server = new AdminClient(socket);
        JsonNode answer = await server.GetAsync("/admin/audit-log/verify");
        return [.. answer["Findings"]!.AsArray().Select(finding => $"{finding}")];
    }
}
