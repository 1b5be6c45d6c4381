using Raven.Documents;
using Raven.Documents.Backups;
using Raven.Security.Rights;
using Raven.Server.Http.Backups.S3;
using Raven.Server.Options;

namespace Raven.Server.Http.Backups;

//   PLACE-1  Backups are written below Backup.LocalRootPath and nowhere else; without it, an operator says where. Links
//            are followed before that is decided, and it is decided anew at each run.
//   PLACE-2  None is written into the folder of the data, of the keys or of the audit log, nor into one around them.

/// <summary>Where backups may be written, and read from.</summary>
internal static class BackupPlace
{
    /// <summary>The destinations that this server has.</summary>
    internal static readonly string[] Kinds = ["Local", "S3"];

    /// <summary>Checks the destinations that a request names.</summary>
    /// <exception cref="BadRequestException">One may not be used, or the caller may not say so.</exception>
    internal static void Check(RequestContext request, BackupConfiguration task)
    {
        if (task.FolderPath is { } path)
        {
            RequireKind(request.Server, "Local");
            RequireMayName(request);
            Resolve(request.Server, path);
        }

        if (task.S3 is { } s3)
        {
            RequireKind(request.Server, "S3");
            S3Address.Check(request.Server.Options, s3);
        }
    }

    /// <summary>The folder that a path names, and the disk that it is on, or will be.</summary>
    /// <exception cref="BadRequestException">It may not be used, or the caller may not say so.</exception>
    internal static (string Path, DriveInfo Disk) Look(RequestContext request, string? path)
    {
        RequireMayName(request);
        string full = Resolve(request.Server, path);
        string there = full;
        while (!Directory.Exists(there) && Path.GetDirectoryName(there) is { } parent)
        {
            there = parent;
        }

        return (full, new DriveInfo(there));
    }

    /// <summary>Opens the destinations of a task; they are looked at anew at each run.</summary>
    /// <exception cref="BadRequestException">One may not be used.</exception>
    internal static BackupPlaces Open(ServerState server, BackupConfiguration task)
    {
        IBackupDestination? local = task.FolderPath is { } path ? OpenLocal(server, path) : null;
        IBackupDestination? s3 = task.S3 is { } settings ? OpenS3(server, settings) : null;
        return new BackupPlaces(local, s3);
    }

    /// <summary>The folders below a path.</summary>
    /// <exception cref="BadRequestException">It may not be used.</exception>
    internal static LocalDestination OpenLocal(ServerState server, string? path)
    {
        RequireKind(server, "Local");
        string full = Resolve(server, path);
        try
        {
            return new LocalDestination(new DatabaseFolders(full), full);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BackupException($"The folder '{path}' cannot be used: {e.Message}", e);
        }
    }

    /// <summary>The folders in a bucket.</summary>
    /// <exception cref="BadRequestException">It may not be used.</exception>
    internal static S3Destination OpenS3(ServerState server, S3Settings settings)
    {
        RequireKind(server, "S3");
        return new S3Destination(server, settings);
    }

    /// <summary>The folders below a path that is there.</summary>
    /// <exception cref="BadRequestException">It is not, or may not be used.</exception>
    internal static LocalDestination OpenExisting(ServerState server, string? path) =>
        Directory.Exists(Resolve(server, path))
            ? OpenLocal(server, path)
            : throw Wrong($"There is no folder '{path}'.");

    /// <summary>A regular file below Backup.LocalRootPath, links followed.</summary>
    /// <exception cref="BadRequestException">It is none, lies elsewhere, or the server has no such folder.</exception>
    internal static string FindFile(ServerState server, string? path)
    {
        if (server.Options.BackupRootPath == null)
        {
            throw Wrong("Files are read below Backup.LocalRootPath alone, which this server does not have.");
        }

        string full = Resolve(server, path, "file", "file");

        // A pipe, a device and what /proc makes have no length: opening one could wait for ever, or never end.
        var file = new FileInfo(full);
        return file.Exists && file.Length > 0
            ? full
            : throw Wrong($"'{path}' is no file, or nothing is in it.");
    }

    /// <summary>The folder of a backup that a restore names, and the folders that it is one of.</summary>
    /// <exception cref="BadRequestException">It may not be used.</exception>
    internal static (IBackupDestination Destination, string Name) OpenBackup(ServerState server, string? location)
    {
        RequireKind(server, "Local");
        string full = Resolve(server, location);
        string? parent = Path.GetDirectoryName(full);
        if (!Directory.Exists(full) || parent == null)
        {
            throw Wrong($"There is no folder '{location}'.");
        }

        return (new LocalDestination(new DatabaseFolders(parent), parent), Path.GetFileName(full));
    }

    /// <summary>The folder of a backup in a bucket, and the folders that it is one of.</summary>
    /// <exception cref="BadRequestException">It may not be used.</exception>
    internal static (IBackupDestination Destination, string Name) OpenBackup(ServerState server, S3Settings settings)
    {
        int slash = settings.Folder.LastIndexOf('/');
        string name = settings.Folder[(slash + 1)..];
        return name.Length > 0
            ? (OpenS3(server, settings with { Folder = settings.Folder[..Math.Max(slash, 0)] }), name)
            : throw Wrong("Settings.RemoteFolderName must name the folder of one backup.");
    }

    /// <summary>The destinations that an option allows.</summary>
    internal static IEnumerable<string> AllowedKinds(ServerOptions options) => Kinds.Where(kind =>
        options.BackupKinds.Count == 0 || options.BackupKinds.Contains(kind, StringComparer.OrdinalIgnoreCase));

    private static void RequireMayName(RequestContext request)
    {
        if (request.Server.Options.BackupRootPath == null && !request.Identity.May(Access.Operator, default))
        {
            throw new BadRequestException(
                403, ErrorType.Authorization,
                "Only an operator may say where backups go, unless the server has a Backup.LocalRootPath.");
        }
    }

    private static void RequireKind(ServerState server, string kind)
    {
        if (!AllowedKinds(server.Options).Contains(kind))
        {
            throw Wrong($"Backups of the type '{kind}' are not among Backup.AllowedDestinations.");
        }
    }

    private static string Resolve(
        ServerState server, string? path, string parameter = "FolderPath", string kind = "folder")
    {
        if (string.IsNullOrWhiteSpace(path) || path.Contains('\0') || !Path.IsPathFullyQualified(path))
        {
            throw Wrong($"{parameter} must be a full path, not '{path}'.");
        }

        string full = Follow(path);
        ServerOptions options = server.Options;
        if (options.BackupRootPath is { } root && !IsWithin(full, Follow(root)))
        {
            throw Wrong($"The {kind} '{path}' is not below Backup.LocalRootPath.");
        }

        foreach (string? own in (string?[])
            [server.DataFolder, options.Security.KeysFolder, options.Security.AuditFolder])
        {
            if (own is { Length: > 0 } && (IsWithin(full, Follow(own)) || IsWithin(Follow(own), full)))
            {
                throw Wrong($"The folder '{path}' is one of the server's own, or around one.");
            }
        }

        return full;
    }

    /// <summary>A path without links: those of each of its folders that exists are followed.</summary>
    private static string Follow(string path)
    {
        const int linksMax = 40;
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        for (int links = 0; ; links++)
        {
            string? next = FollowFirst(full);
            if (next == null)
            {
                return full;
            }

            full = links < linksMax ? next : throw Wrong($"The folder '{path}' has too many links in it.");
        }
    }

    private static string? FollowFirst(string full)
    {
        string root = Path.GetPathRoot(full)!;
        string at = root;
        string[] parts = full[root.Length..].Split(
            Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries);
        for (int i = 0; i < parts.Length; i++)
        {
            at = Path.Combine(at, parts[i]);
            if (new DirectoryInfo(at).LinkTarget is { } target)
            {
                string rest = Path.Combine([.. parts.Skip(i + 1).Prepend(target)]);
                return Path.TrimEndingDirectorySeparator(Path.GetFullPath(rest, Path.GetDirectoryName(at) ?? root));
            }
        }

        return null;
    }

    private static bool IsWithin(string path, string folder) =>
        path == folder || path.StartsWith(
            folder.EndsWith(Path.DirectorySeparatorChar) ? folder : folder + Path.DirectorySeparatorChar,
            StringComparison.Ordinal);

    private static BadRequestException Wrong(string message) => new(400, ErrorType.Argument, message);
}
