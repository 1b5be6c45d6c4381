using System.CommandLine;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;
using Raven.Server;
using Raven.Server.Options;
using Raven.Server.Setup;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven keys</c>: what a server needs on another machine beside the backups of its databases.</summary>
internal static class ServerKeyVerbs
{
    private const int FileBytesMax = 64 << 20;

    private static readonly Argument<string> File = new("file") { Description = "The file" };

    private static readonly Option<string> Passphrase = new("--passphrase-file")
    {
        Description = "A file with the passphrase in its first line; - is standard input", Required = true,
    };

    private static readonly Option<string?> BackupKeyFile = new("--key-file")
    {
        Description = "A file with the key of the backup, base64 of 32 bytes, if it is encrypted",
    };

    private static readonly Option<string?> KeysFolder = new("--keys-folder")
    {
        Description = "The folder of the server's keys, if it is not where the server's options say",
    };

    /// <summary>The verb with those below it.</summary>
    internal static Command Create() => new("keys", "The server's master key, and its state")
    {
        AdminVerb.Offline(
            "export", "Write the master key into a new file that the passphrase opens", [File, Passphrase, KeysFolder],
            ExportAsync),
        AdminVerb.Offline(
            "import", "Put an exported master key where the server of this machine looks for it; it must have none",
            [File, Passphrase, KeysFolder], ImportAsync),
        AdminVerb.Offline(
            "rotate", "Replace the master key of a server that does not run, and seal all secrets anew", [KeysFolder],
            RotateAsync),
        AdminVerb.Offline(
            "restore-state", "Put a backup of a server's state into a server that has none and does not run",
            [File, BackupKeyFile, KeysFolder], RestoreAsync),
    };

    private static async Task<int> ExportAsync(ParseResult parsed, VerbOutput output)
    {
        string path = Path.GetFullPath(parsed.GetRequiredValue(File));
        byte[] key = OfflineServer.ExportMasterKey(OptionsOf(parsed), await PassphraseAsync(parsed));
        OwnerFiles.Write(path, key);
        await output.Lines.WriteLineAsync($"{path} has the master key. Keep it and its passphrase apart.");
        output.Set("File", path);
        return ExitCode.Success;
    }

    private static async Task<int> ImportAsync(ParseResult parsed, VerbOutput output)
    {
        string passphrase = await PassphraseAsync(parsed);
        string path = OfflineServer.ImportMasterKey(OptionsOf(parsed), Read(parsed), passphrase);
        await output.Lines.WriteLineAsync($"The master key is at {path}.");
        output.Set("File", path);
        return ExitCode.Success;
    }

    private static async Task<int> RotateAsync(ParseResult parsed, VerbOutput output)
    {
        OfflineServer.RotateMasterKey(OptionsOf(parsed), TimeProvider.System);
        await output.Lines.WriteLineAsync("All secrets are sealed under another key; the key before is beside it.");
        return ExitCode.Success;
    }

    private static async Task<int> RestoreAsync(ParseResult parsed, VerbOutput output)
    {
        IReadOnlyList<string> secrets = OfflineServer.RestoreState(
            OptionsOf(parsed), Read(parsed), await KeyAsync(parsed), TimeProvider.System);
        foreach (string secret in secrets)
        {
            await output.Lines.WriteLineAsync($"To be entered again: {secret}");
        }

        await output.Lines.WriteLineAsync(
            secrets.Count == 0 ? "The state is restored." : "The state is restored, but for these secrets.");
        output.Set(
            "SecretsToEnter", new JsonArray([.. secrets.Select(secret => (JsonNode?)JsonValue.Create(secret))]));
        return ExitCode.Success;
    }

    private static async Task<string?> KeyAsync(ParseResult parsed) =>
        parsed.GetValue(BackupKeyFile) is { } path ? (await System.IO.File.ReadAllTextAsync(path)).Trim() : null;

    private static ServerOptions OptionsOf(ParseResult parsed)
    {
        ServerOptions options = AdminOptions.Read(parsed);
        return parsed.GetValue(KeysFolder) is { } folder
            ? options with { Security = options.Security with { KeysFolder = Path.GetFullPath(folder) } }
            : options;
    }

    private static byte[] Read(ParseResult parsed)
    {
        string path = parsed.GetRequiredValue(File);
        return new FileInfo(path).Length <= FileBytesMax
            ? System.IO.File.ReadAllBytes(path)
            : throw new IOException($"{path} is too large to be such a file.");
    }

    /// <summary>A passphrase never stands among the arguments, which others see.</summary>
    private static async Task<string> PassphraseAsync(ParseResult parsed)
    {
        string path = parsed.GetRequiredValue(Passphrase);
        string? line;
        if (path == "-")
        {
            line = await Console.In.ReadLineAsync();
        }
        else
        {
            using var reader = new StreamReader(path);
            line = await reader.ReadLineAsync();
        }

        return line ?? throw new IOException("There is no passphrase.");
    }
}
