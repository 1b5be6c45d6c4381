using System.CommandLine;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;
using Raven.Server;
using Raven.Server.Options;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven audit</c>: the audit log, read where it lies. It needs no server.</summary>
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
            "verify", "Find the first place at which the log was changed behind the server's back", [Folder, Key],
            VerifyAsync),
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
        IReadOnlyList<string> faults = AuditCheck.Run(options, out bool isEndKnown);
        foreach (string fault in faults)
        {
            await output.Lines.WriteLineAsync(fault);
        }

        if (!isEndKnown)
        {
            await output.Lines.WriteLineAsync(
                "Whether lines are missing at its end shows while no server has the folder of the data.");
        }

        if (faults.Count == 0)
        {
            await output.Lines.WriteLineAsync($"No line of the log in {options.Security.AuditFolder} was changed.");
        }

        output.Set("Findings", new JsonArray([.. faults.Select(fault => (JsonNode?)JsonValue.Create(fault))]));
        output.Set("EndIsKnown", isEndKnown);
        return faults.Count == 0 ? ExitCode.Success : ExitCode.BrokenInput;
    }
}
