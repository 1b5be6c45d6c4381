using Amazon.S3.Model;
using Raven.Documents.Backups;

namespace Raven.Server.Http.Backups.S3;

/// <summary>Backups in storage that speaks S3: a folder is what the names of its files begin with.</summary>
internal sealed class S3Destination : IBackupDestination
{
    internal const int NamesMax = 100_000;

    internal static readonly TimeSpan CallMax = TimeSpan.FromMinutes(1);

    private readonly S3Client _client;

    internal S3Destination(ServerState server, S3Settings settings) => _client = new S3Client(server, settings);

    /// <inheritdoc/>
    public string Description => _client.Settings.Description;

    /// <inheritdoc/>
    public string Key => _client.Settings.Key;

    private string Prefix => _client.Settings.Folder is { Length: > 0 } folder ? folder + "/" : "";

    /// <inheritdoc/>
    public async ValueTask<bool> ExistsAsync(string folder, CancellationToken cancellation)
    {
        ListObjectsV2Response answer = await ListAsync(
            _client, $"{Prefix}{folder}/", null, null, cancellation).ConfigureAwait(false);
        return answer.S3Objects is { Count: > 0 };
    }

    /// <inheritdoc/>
    public async ValueTask<IReadOnlyList<string>> ListAsync(CancellationToken cancellation)
    {
        List<string> names = [];
        string prefix = Prefix;
        await foreach (ListObjectsV2Response page in PagesAsync(_client, prefix, "/", cancellation)
            .ConfigureAwait(false))
        {
            names.AddRange((page.CommonPrefixes ?? [])
                .Where(one => one.StartsWith(prefix, StringComparison.Ordinal))
                .Select(one => one[prefix.Length..].TrimEnd('/'))
                .Where(IsPlain));
            RequireFew(names.Count, Description);
        }

        return names;
    }

    /// <inheritdoc/>
    public IBackupFiles Open(string folder) => new S3Files(_client, $"{Prefix}{folder}/");

    /// <inheritdoc/>
    public async ValueTask DeleteAsync(string folder, CancellationToken cancellation)
    {
        // The full one goes first, and manifests last: what is left after a failure restores nothing, and is still
        // known to be of its task, whose next removal takes it.
        var files = new S3Files(_client, $"{Prefix}{folder}/");
        IReadOnlyList<string> names = await files.ListAsync(cancellation).ConfigureAwait(false);
        foreach (string name in names.Order(StringComparer.Ordinal)
            .OrderBy(name => name.EndsWith(BackupManifest.Suffix, StringComparison.Ordinal)))
        {
            await files.DeleteAsync(name, cancellation).ConfigureAwait(false);
        }

        await files.RemoveUnfinishedAsync(cancellation).ConfigureAwait(false);
    }

    /// <summary>Writes a small file, reads it again and removes it.</summary>
    /// <exception cref="BackupException">That failed.</exception>
    internal async Task TestAsync(string name, CancellationToken cancellation)
    {
        byte[] bytes = "A test of the credentials for backups."u8.ToArray();
        var files = new S3Files(_client, Prefix);
        BackupFileStream writer = await files.CreateAsync(name, bytes.Length, cancellation).ConfigureAwait(false);
        await using (writer.ConfigureAwait(false))
        {
            await writer.WriteAsync(bytes, cancellation).ConfigureAwait(false);
            await writer.CompleteAsync(cancellation).ConfigureAwait(false);
        }

        try
        {
            byte[] back = new byte[bytes.Length];
            Stream source = await files.OpenAsync(name, cancellation).ConfigureAwait(false);
            await using (source.ConfigureAwait(false))
            {
                int read = await source.ReadAtLeastAsync(back, back.Length, throwOnEndOfStream: false, cancellation)
                    .ConfigureAwait(false);
                if (read != bytes.Length || !back.AsSpan().SequenceEqual(bytes))
                {
                    throw new BackupPlaceException($"{Description} gives back something else than was written.");
                }
            }
        }
        finally
        {
            await files.DeleteAsync(name, cancellation).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();

    /// <summary>All pages of a listing.</summary>
    internal static async IAsyncEnumerable<ListObjectsV2Response> PagesAsync(
        S3Client client, string prefix, string? delimiter,
        [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellation)
    {
        string? token = null;
        for (int pages = 0; ; pages++)
        {
            ListObjectsV2Response page = await ListAsync(client, prefix, delimiter, token, cancellation)
                .ConfigureAwait(false);
            yield return page;
            if (page.IsTruncated != true)
            {
                yield break;
            }

            if (string.IsNullOrEmpty(page.NextContinuationToken) || page.NextContinuationToken == token
                || pages > NamesMax)
            {
                throw new BackupPlaceException($"{client.Settings.Description} gives a listing without an end.");
            }

            token = page.NextContinuationToken;
        }
    }

    internal static void RequireFew(int count, string where)
    {
        if (count > NamesMax)
        {
            throw new BackupPlaceException($"{where} has more than {NamesMax} names in it: give backups a folder.");
        }
    }

    /// <summary>Whether a name that a server lists is one that a file may have.</summary>
    internal static bool IsPlain(string name) =>
        name.Length > 0 && !name.Contains('/') && !name.Contains('\\') && name is not ("." or "..")
        && !name.Any(char.IsControl);

    private static Task<ListObjectsV2Response> ListAsync(
        S3Client client, string prefix, string? delimiter, string? token, CancellationToken cancellation) =>
        client.CallAsync(
            (s3, stop) => s3.ListObjectsV2Async(
                new ListObjectsV2Request
                {
                    BucketName = client.Settings.Bucket,
                    Prefix = prefix,
                    Delimiter = delimiter,
                    ContinuationToken = token,
                },
                stop),
            CallMax, cancellation);
}
