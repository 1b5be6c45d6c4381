using Raven.Storage.Files;

namespace Raven.Documents.Backups;

//   BKP-2  A file of a backup gets its name when it is whole and synced; before that its name ends with ".in-progress",
//          and a run that is killed leaves nothing else. The next run of the same folder removes that.

/// <summary>A folder with a full backup and those that follow it: its files and their manifests. One caller at a time.
/// </summary>
public sealed class BackupFolder
{
    internal const string InProgress = ".in-progress";

    private const int ManifestBytesMax = 64 << 20;

    private readonly IFileSystem _files;

    /// <summary>Takes a folder.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="files">Its files.</param>
    internal BackupFolder(string name, IFileSystem files)
    {
        Name = name;
        _files = files;
    }

    /// <summary>Its name.</summary>
    public string Name { get; }

    internal IFileSystem Files => _files;

    /// <summary>The manifests in it, the oldest first.</summary>
    /// <param name="problems">Takes what is wrong with those that cannot be read; null to have that thrown.</param>
    /// <exception cref="BackupException">One of them is damaged.</exception>
    public IReadOnlyList<BackupManifest> ReadAll(ICollection<string>? problems = null)
    {
        List<BackupManifest> all = [];
        foreach (string name in _files.List().Where(IsManifest).Order(StringComparer.Ordinal))
        {
            try
            {
                all.Add(BackupManifest.Parse(name, Read(name)));
            }
            catch (BackupException e) when (problems is not null)
            {
                problems.Add(e.Message);
            }
        }

        all.Sort(static (left, right) => left.TransactionId != right.TransactionId
            ? left.TransactionId.CompareTo(right.TransactionId)
            : left.CreatedAt.CompareTo(right.CreatedAt));
        return all;
    }

    /// <summary>The files of a restore in their order: a full one, and each the next of the one before.</summary>
    /// <param name="last">The last file to restore; null for all.</param>
    /// <exception cref="BackupException">A manifest is damaged, or one is missing between two others.</exception>
    public IReadOnlyList<BackupManifest> ReadChain(string? last = null)
    {
        BackupManifest[] all = [.. ReadAll().Where(one => one.Kind != BackupKind.Journal)];
        BackupManifest[] full = [.. all.Where(one => one.IsFull)];
        if (full.Length != 1)
        {
            throw new BackupException(
                full.Length == 0
                    ? $"There is no full backup in '{Name}'{(all.Length == 0 ? "" : ", and others need one")}."
                    : $"There are {full.Length} full backups in '{Name}': '{full[0].File}', '{full[1].File}'.");
        }

        List<BackupManifest> chain = [full[0]];
        while (all.Where(one => one.Parent == chain[^1].File).ToArray() is { Length: > 0 } next)
        {
            if (next.Length > 1)
            {
                throw new BackupException(
                    $"'{next[0].File}' and '{next[1].File}' both follow '{chain[^1].File}'.");
            }

            Require(chain[^1], next[0]);
            chain.Add(next[0]);
        }

        return Cut(all, chain, last);
    }

    /// <summary>Opens a file to read; the caller disposes it.</summary>
    /// <exception cref="BackupException">It is missing.</exception>
    internal IFile Open(BackupManifest manifest)
    {
        if (!_files.Exists(manifest.File))
        {
            throw new BackupException($"The file '{manifest.File}' is missing in '{Name}'.");
        }

        return _files.Open(manifest.File, FileOpenMode.Existing);
    }

    /// <summary>Writes a small file, whole or not at all.</summary>
    internal void Write(string name, ReadOnlySpan<byte> bytes)
    {
        using (IFile file = _files.Open(name + InProgress, FileOpenMode.Create))
        {
            file.SetLength(0);
            file.WriteAt(0, bytes);
            file.Sync();
        }

        _files.Rename(name + InProgress, name);
        _files.SyncDirectory();
    }

    /// <summary>Removes what a run left that was killed: unfinished files, and those without a manifest (BKP-1).
    /// </summary>
    internal void RemoveUnfinished()
    {
        HashSet<string> names = [.. _files.List()];
        foreach (string name in names.Where(name => IsOurs(name)
            && (name.EndsWith(InProgress, StringComparison.Ordinal) || !names.Contains(name + BackupManifest.Suffix))
            && !IsManifest(name)))
        {
            _files.Delete(name);
        }
    }

    /// <summary>Whether a name is one that backups give their files.</summary>
    private static bool IsOurs(string name) => name.Contains(".ravendb-", StringComparison.Ordinal);

    private static bool IsManifest(string name) => name.EndsWith(BackupManifest.Suffix, StringComparison.Ordinal);

    private static List<BackupManifest> Cut(
        IReadOnlyList<BackupManifest> all, List<BackupManifest> chain, string? last)
    {
        if (last is not null)
        {
            int index = chain.FindIndex(one => one.File == last);
            if (index < 0)
            {
                throw new BackupException(
                    all.Any(one => one.File == last)
                        ? $"'{last}' follows '{all.First(one => one.File == last).Parent}', which is missing."
                        : $"There is no backup '{last}'.");
            }

            return chain[..(index + 1)];
        }

        if (all.FirstOrDefault(one => !chain.Contains(one)) is { } lost)
        {
            throw new BackupException(
                $"'{lost.File}' follows '{lost.Parent}', which is missing: the changes from "
                + $"{chain[^1].LastEtag + 1} on up to it are not there.");
        }

        return chain;
    }

    private static void Require(BackupManifest before, BackupManifest next)
    {
        if (next.BaseTransactionId != before.TransactionId || next.EnvironmentId != before.EnvironmentId
            || next.DatabaseId != before.DatabaseId)
        {
            throw new BackupException(
                $"'{next.File}' does not follow '{before.File}': it has what changed after transaction "
                + $"{next.BaseTransactionId}, and that one ends with {before.TransactionId}.");
        }
    }

    private ReadOnlyMemory<byte> Read(string name)
    {
        using IFile file = _files.Open(name, FileOpenMode.Existing);
        if (file.Length > ManifestBytesMax)
        {
            throw new BackupException($"The manifest '{name}' has {file.Length} bytes.");
        }

        byte[] bytes = new byte[file.Length];
        int read = file.ReadAt(0, bytes);
        return bytes.AsMemory(0, read);
    }
}
