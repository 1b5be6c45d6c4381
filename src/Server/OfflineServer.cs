using System.Security.Cryptography;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Documents;
using Raven.Documents.Backups;
using Raven.Documents.Catalog;
using Raven.Security.Audit;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Security.Secrets;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Security;
using Raven.Server.Options;
using Raven.Storage.Errors;

namespace Raven.Server;

/// <summary>What the operator of a machine does with the files of a server while it does not run.</summary>
internal static class OfflineServer
{
    /// <summary>Checks the audit log whole: every line, and both of its ends.</summary>
    /// <param name="options">The options of the server.</param>
    /// <param name="clock">The clock.</param>
    /// <returns>What is wrong, first place first; empty if nothing is.</returns>
    /// <exception cref="ServerOptionException">The options name no audit log.</exception>
    /// <exception cref="ServerStartException">The server runs, or its files cannot be used.</exception>
    internal static IReadOnlyList<string> VerifyAudit(ServerOptions options, TimeProvider clock) => Use(
        options, clock, (data, catalog) =>
        {
            AuditOptions log = options.Security.ToAuditOptions() ?? throw new ServerOptionException(
                "Security.AuditLog.FolderPath", "it names no folder: there is no audit log to check.");
            using var keys = ServerKeys.Open(options, data.Path, catalog.Records);
            if (keys.HasAuditKey && !Directory.Exists(log.Folder))
            {
                return [$"There is no folder {log.Folder}: the whole log is missing, or it is elsewhere."];
            }

            return keys.HasAuditKey
                ? AuditReader.Verify(log.Folder, keys.AuditKey(), new AuditAnchor(catalog.Records))
                : ["The server of this data folder has never kept an audit log."];
        });

    /// <summary>Replaces the master key, and seals all secrets anew; the key before stays beside it as .old.</summary>
    /// <param name="options">The options of the server.</param>
    /// <param name="clock">The clock.</param>
    /// <exception cref="ServerStartException">The server runs, or its files cannot be used. Nothing has changed.
    /// </exception>
    internal static void RotateMasterKey(ServerOptions options, TimeProvider clock) => Use(
        options, clock, (data, catalog) =>
        {
            using var keys = ServerKeys.Open(options, data.Path, catalog.Records);
            (TrustRegistry _, AuditTrail audit) = ServerSecurity.OpenTrust(
                options.Security, keys, catalog.Records, NullLogger.Instance, clock);
            using (audit)
            {
                audit.Announce(Operator(), ServerSecurity.MasterKeyRotated);
                new RecordSecrets(keys).Rotate();
                return 0;
            }
        });

    /// <summary>The master key of a server, sealed under a passphrase. The server may run.</summary>
    /// <param name="options">The options of the server.</param>
    /// <param name="passphrase">Opens it again.</param>
    /// <exception cref="ServerStartException">There is no key, it cannot be read, or the passphrase is too short.
    /// </exception>
    internal static byte[] ExportMasterKey(ServerOptions options, string passphrase)
    {
        try
        {
            using MasterKey key = FileOf(options).Read();
            return MasterKeyEnvelope.Seal(key, passphrase);
        }
        catch (MasterKeyException e)
        {
            throw new ServerStartException(e.Message, e);
        }
    }

    /// <summary>Puts a master key that was exported where the server of these options looks for it.</summary>
    /// <param name="options">The options of the server.</param>
    /// <param name="file">The key.</param>
    /// <param name="passphrase">Opens it.</param>
    /// <returns>The path of the key.</returns>
    /// <exception cref="ServerStartException">There is a key already, or this one does not open.</exception>
    internal static string ImportMasterKey(ServerOptions options, ReadOnlySpan<byte> file, string passphrase)
    {
        try
        {
            using MasterKey key = MasterKeyEnvelope.Open(file, passphrase);
            MasterKeyFile target = FileOf(options);
            target.Put(key);
            return target.Path;
        }
        catch (MasterKeyException e)
        {
            throw new ServerStartException(e.Message, e);
        }
    }

    /// <summary>Puts the state of another server into one that has none, and does not run.</summary>
    /// <param name="options">The options of the server.</param>
    /// <param name="file">The state.</param>
    /// <param name="key">The key of the backup, base64; null if it is not encrypted.</param>
    /// <param name="clock">The clock.</param>
    /// <returns>The secrets that must be entered again.</returns>
    /// <exception cref="ServerStartException">The server runs or has a state, or the file is damaged.</exception>
    internal static IReadOnlyList<string> RestoreState(
        ServerOptions options, byte[] file, string? key, TimeProvider clock) => Use(options, clock, (data, catalog) =>
        {
            using var keys = ServerKeys.Open(options, data.Path, catalog.Records);
            try
            {
                return ServerStateFile.Restore(
                    ServerStateFile.Decrypt(file, key), catalog.Records, keys.KeyCheck);
            }
            catch (Exception e) when (e is BackupException or BadRequestException)
            {
                throw new ServerStartException(e.Message, e);
            }
        });

    private static MasterKeyFile FileOf(ServerOptions options)
    {
        SecurityOptions security = options.Security;
        string data = Path.GetFullPath(options.DataDirectory);
        return security.MasterKeyProgram is { Length: > 0 }
            ? throw new ServerStartException(
                "The master key is printed by a program (Security.MasterKey.Exec): it is kept where that has it from.")
            : security.MasterKeyPath is { } path
                ? MasterKeyFile.At(path, data)
                : MasterKeyFile.In(security.KeysFolder, data);
    }

    /// <summary>Who has this machine, and with it all that the server keeps.</summary>
    internal static Identity Operator() => new()
    {
        Kind = IdentityKind.Local,
        Name = Environment.UserName,
        Key = "",
        Clearance = Clearance.ClusterAdmin,
    };

    private static T Use<T>(ServerOptions options, TimeProvider clock, Func<DataFolder, DatabaseCatalog, T> use)
    {
        try
        {
            using DataFolder data = DataFolder.Acquire(options.DataDirectory);
            using DatabaseCatalog catalog = DatabaseCatalog.Open(new CatalogOptions
            {
                Folders = new DatabaseFolders(data.Path),
                Clock = clock,
                Random = new Random(RandomNumberGenerator.GetInt32(int.MaxValue)),
            });
            return use(data, catalog);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or StorageCorruptedException
            or StorageVersionException or MasterKeyException or RegistryException)
        {
            throw new ServerStartException(e.Message, e);
        }
    }
}
