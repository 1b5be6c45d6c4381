namespace Raven.Documents.Backups;

/// <summary>A folder with a full backup and those that follow it: its files and their manifests. One caller at a time.
/// </summary>
/// <param name="name">Its name.</param>
/// <param name="files">Its files.</param>
public sealed class BackupFolder(string name, IBackupFiles files)
{
    private const int ManifestBytesMax = 64 << 20;

    /// <summary>Its name.</summary>
    public string Name => name;

    /// <summary>Its files.</summary>
    public IBackupFiles Files => files;

    /// <summary>The manifests in it, the oldest first.</summary>
    /// <param name="problems">Takes what is wrong with those that cannot be read; null to have that thrown.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="BackupException">One of them is damaged.</exception>
    public async Task<IReadOnlyList<BackupManifest>> ReadAllAsync(
        ICollection<string>? problems, CancellationToken cancellation) =>
        await ReadAsync(static _ => true, problems, cancellation).ConfigureAwait(false);

    /// <summary>The manifests of all but the pieces of the journal, of which there may be thousands.</summary>
    /// <param name="problems">Takes what is wrong with those that cannot be read; null to have that thrown.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="BackupException">One of them is damaged.</exception>
    public async Task<IReadOnlyList<BackupManifest>> ReadBackupsAsync(
        ICollection<string>? problems, CancellationToken cancellation)
    {
        List<BackupManifest> backups = await ReadAsync(static name => !IsJournal(name), problems, cancellation)
            .ConfigureAwait(false);
        backups.RemoveAll(static one => one.Kind == BackupKind.Journal);
        return backups;
    }

    /// <summary>The manifests of pieces of the journal, the oldest first.</summary>
    /// <param name="isWanted">Whether that of a file of this name is one.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="BackupException">One of them is damaged.</exception>
    internal async Task<IReadOnlyList<BackupManifest>> ReadJournalAsync(
        Func<string, bool> isWanted, CancellationToken cancellation)
    {
        List<BackupManifest> pieces = await ReadAsync(
            name => IsJournal(name) && isWanted(name[..^BackupManifest.Suffix.Length]), null, cancellation)
            .ConfigureAwait(false);
        pieces.RemoveAll(static one => one.Kind != BackupKind.Journal);
        return pieces;
    }

    private async Task<List<BackupManifest>> ReadAsync(
        Func<string, bool> isWanted, ICollection<string>? problems, CancellationToken cancellation)
    {
        List<BackupManifest> all = [];
        IReadOnlyList<string> names = await files.ListAsync(cancellation).ConfigureAwait(false);
        foreach (string file in names.Where(one => IsManifest(one) && isWanted(one)).Order(StringComparer.Ordinal))
        {
            try
            {
                all.Add(BackupManifest.Parse(file, await ReadAsync(file, cancellation).ConfigureAwait(false)));
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
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="BackupException">A manifest is damaged, or one is missing between two others.</exception>
    public async Task<IReadOnlyList<BackupManifest>> ReadChainAsync(string? last, CancellationToken cancellation)
    {
        IReadOnlyList<BackupManifest> all = await ReadBackupsAsync(null, cancellation).ConfigureAwait(false);
        BackupManifest[] full = [.. all.Where(one => one.IsFull)];
        if (full.Length != 1)
        {
            throw new BackupException(
                full.Length == 0
                    ? $"There is no full backup in '{name}'{(all.Count == 0 ? "" : ", and others need one")}."
                    : $"There are {full.Length} full backups in '{name}': '{full[0].File}', '{full[1].File}'.");
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

    /// <summary>Writes the manifest of a file, and reads it again: from here on it is a backup (BKP-1).</summary>
    /// <exception cref="BackupException">What is read is something else.</exception>
    internal async Task WriteAsync(BackupManifest manifest, bool isVerified, CancellationToken cancellation)
    {
        string file = manifest.File + BackupManifest.Suffix;
        byte[] bytes = manifest.ToBytes();
        await WriteAsync(file, bytes, cancellation).ConfigureAwait(false);
        if (!isVerified)
        {
            return;
        }

        ReadOnlyMemory<byte> read = await ReadAsync(file, cancellation).ConfigureAwait(false);
        if (!read.Span.SequenceEqual(bytes))
        {
            throw new BackupException(
                $"The manifest '{file}' is not as it was written: {bytes.Length} bytes were written, {read.Length} are "
                + $"read, the first {read.Span.CommonPrefixLength(bytes)} of them the same.");
        }
    }

    private async Task WriteAsync(string file, byte[] bytes, CancellationToken cancellation)
    {
        BackupFileStream writer = await files.CreateAsync(file, bytes.Length, cancellation).ConfigureAwait(false);
        await using (writer.ConfigureAwait(false))
        {
            await writer.WriteAsync(bytes, cancellation).ConfigureAwait(false);
            await writer.CompleteAsync(cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Removes what a run left that was killed: unfinished files, and those without a manifest (BKP-1).
    /// </summary>
    internal async Task RemoveUnfinishedAsync(CancellationToken cancellation)
    {
        await files.RemoveUnfinishedAsync(cancellation).ConfigureAwait(false);
        HashSet<string> names = [.. await files.ListAsync(cancellation).ConfigureAwait(false)];
        foreach (string file in names.Where(file =>
            IsOurs(file) && !IsManifest(file) && !names.Contains(file + BackupManifest.Suffix)))
        {
            await files.DeleteAsync(file, cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Whether a name is one that backups give their files.</summary>
    public static bool IsOurs(string file) => file.Contains(".ravendb-", StringComparison.Ordinal);

    /// <summary>Whether the manifest of a name is that of a piece of the journal.</summary>
    private static bool IsJournal(string file) =>
        file.EndsWith("-journal" + BackupManifest.Suffix, StringComparison.Ordinal);

    private static bool IsManifest(string file) => file.EndsWith(BackupManifest.Suffix, StringComparison.Ordinal);

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
        // Each ends behind the one before: so a chain of manifests that somebody has made up comes to its end, too.
        if (next.BaseTransactionId != before.TransactionId || next.EnvironmentId != before.EnvironmentId
            || next.DatabaseId != before.DatabaseId || next.TransactionId <= before.TransactionId)
        {
            throw new BackupException(
                $"'{next.File}' does not follow '{before.File}': it has what changed after transaction "
                + $"{next.BaseTransactionId} up to {next.TransactionId}, and that one ends with "
                + $"{before.TransactionId}.");
        }
    }

    private async Task<ReadOnlyMemory<byte>> ReadAsync(string file, CancellationToken cancellation)
    {
        if (await files.FindLengthAsync(file, cancellation).ConfigureAwait(false) is not { } length)
        {
            throw new BackupException($"The manifest '{file}' is missing in '{name}'.");
        }

        if (length > ManifestBytesMax)
        {
            throw new BackupException($"The manifest '{file}' has {length} bytes.");
        }

        byte[] bytes = new byte[length];
        Stream source = await files.OpenAsync(file, cancellation).ConfigureAwait(false);
        await using (source.ConfigureAwait(false))
        {
            int read = await source.ReadAtLeastAsync(bytes, bytes.Length, throwOnEndOfStream: false, cancellation)
                .ConfigureAwait(false);
            return bytes.AsMemory(0, read);
        }
    }
}
