using System.Globalization;
using System.Text.Json;
using Raven.Documents.Backups;
using Raven.Server.Http.Backups.S3;

namespace Raven.Server.Http.Backups;

//   SOURCE-1  What a body says by itself is checked before its request is answered, and so are the manifests of a
//             folder of this machine. A bucket is read by the operation: it may be slow, or not answer, and each piece
//             of a journal has a manifest in it.

/// <summary>The backup that a request names for a restore or a verification. One user at a time.</summary>
internal sealed class BackupSource : IDisposable
{
    private readonly ServerState _server;
    private readonly IBackupDestination _destination;
    private readonly string _name;
    private readonly string? _last;
    private readonly DateTimeOffset? _to;
    private readonly IBackupCipher? _cipher;

    private BackupSource(
        ServerState server, IBackupDestination destination, string name, string? last, DateTimeOffset? to,
        IBackupCipher? cipher)
    {
        _server = server;
        _destination = destination;
        _name = name;
        _last = last;
        _to = to;
        _cipher = cipher;
    }

    /// <summary>Whether it is read by the operation, and not before the answer (SOURCE-1).</summary>
    internal bool IsRemote { get; private init; }

    /// <summary>The database that it is of, by the name of its folder; empty if that says none.</summary>
    internal string Database
    {
        get
        {
            const string before = ".ravendb-";
            int start = _name.IndexOf(before, StringComparison.Ordinal);
            int end = _name.LastIndexOf("-A-", StringComparison.Ordinal);
            return start >= 0 && end > start + before.Length ? _name[(start + before.Length)..end] : "";
        }
    }

    /// <summary>The backup that a body names.</summary>
    /// <exception cref="BadRequestException">What it says is wrong, or may not be used.</exception>
    internal static BackupSource Of(ServerState server, JsonElement json)
    {
        string? last = BackupConfiguration.Text(json, "LastFileNameToRestore");
        DateTimeOffset? to = TimeOf(json, last);
        string? key = BackupConfiguration.Text(json, "EncryptionKey");
        if (BackupConfiguration.Member(json, "BackupEncryptionSettings")
            is { ValueKind: JsonValueKind.Object } settings)
        {
            key = BackupConfiguration.Text(settings, "Key") ?? key;
        }

        IBackupCipher? cipher = string.IsNullOrEmpty(key) ? null : BackupKey.Parse(key);
        bool isRemote = IsS3(BackupConfiguration.Text(json, "Type"));
        (IBackupDestination destination, string name) = isRemote
            ? BackupPlace.OpenBackup(server, SettingsOf(json))
            : BackupPlace.OpenBackup(server, BackupConfiguration.Text(json, "BackupLocation"));
        return new BackupSource(
            server, destination, name, string.IsNullOrEmpty(last) ? null : last[(last.LastIndexOf('/') + 1)..], to,
            cipher)
        {
            IsRemote = isRemote,
        };
    }

    /// <summary>Where it is, for the audit log.</summary>
    internal static string? LocationOf(JsonElement json) =>
        IsS3(BackupConfiguration.Text(json, "Type"))
            ? SettingsOf(json).Description
            : BackupConfiguration.Text(json, "BackupLocation");

    /// <summary>Whether a type of a request is S3; the other one is Local.</summary>
    /// <exception cref="BadRequestException">It is another one.</exception>
    internal static bool IsS3(string? type)
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

    /// <summary>Reads its manifests, and checks what can be checked before its files are read.</summary>
    /// <param name="needsRoom">Whether it is to be restored, for which there must be room.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="BackupException">A manifest is damaged or missing, or the key is another one.</exception>
    /// <exception cref="BadRequestException">There is no room.</exception>
    internal async Task<(BackupFolder Folder, RestoreRequest Request)> ReadAsync(
        bool needsRoom, CancellationToken cancellation)
    {
        BackupFolder folder = await DatabaseRestore.OpenAsync(_destination, _name, cancellation).ConfigureAwait(false);
        (IReadOnlyList<BackupManifest> chain, IReadOnlyList<BackupManifest> journal) = _to is { } time
            ? await ArchivedJournal.FindAsync(folder, time, cancellation).ConfigureAwait(false)
            : (await folder.ReadChainAsync(_last, cancellation).ConfigureAwait(false), []);
        var request = new RestoreRequest { Chain = chain, Journal = journal, To = _to, Cipher = _cipher };
        DatabaseRestore.RequireKey(request.Files, request.Cipher);
        if (needsRoom)
        {
            RequireRoom(request);
        }

        return (folder, request);
    }

    /// <inheritdoc/>
    public void Dispose() => _destination.Dispose();

    /// <summary>A restore that has no room would fail at its end, with the disk full for all others.</summary>
    private void RequireRoom(RestoreRequest wanted)
    {
        // Pieces of the journal are written over the pages that are there: their length says nothing.
        double needed = Math.Max(
            wanted.Files[^1].StorageBytes, wanted.Chain.Sum(static one => (double)one.LengthBytes));
        long free = _server.Options.RunInMemory
            ? _server.Memory.LimitBytes
            : new DriveInfo(_server.DataFolder).AvailableFreeSpace;
        if (needed > free)
        {
            throw new BadRequestException(
                507, ErrorType.DiskFull,
                $"The database takes {needed:N0} bytes when it is restored, and there are {free:N0}.");
        }
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

    private static S3Settings SettingsOf(JsonElement json) => S3Settings.Parse(
        BackupConfiguration.Member(json, "Settings")
        ?? throw new BadRequestException(400, ErrorType.Argument, "Settings must say where the backup is in S3."));
}
