using Amazon.S3.Model;
using Raven.Documents.Backups;

namespace Raven.Server.Http.Backups.S3;

/// <summary>The files of a folder of backups in storage that speaks S3.</summary>
/// <param name="client">The calls.</param>
/// <param name="prefix">What the keys of the files begin with.</param>
internal sealed class S3Files(S3Client client, string prefix) : IBackupFiles
{
    /// <inheritdoc/>
    public string Description => $"s3://{client.Settings.Bucket}/{prefix.TrimEnd('/')}";

    /// <inheritdoc/>
    public async ValueTask<IReadOnlyList<string>> ListAsync(CancellationToken cancellation)
    {
        List<string> names = [];
        await foreach (ListObjectsV2Response page in S3Destination.PagesAsync(client, prefix, null, cancellation)
            .ConfigureAwait(false))
        {
            names.AddRange((page.S3Objects ?? [])
                .Where(one => one.Key.StartsWith(prefix, StringComparison.Ordinal))
                .Select(one => one.Key[prefix.Length..])
                .Where(S3Destination.IsPlain));
            S3Destination.RequireFew(names.Count, Description);
        }

        return names;
    }

    /// <inheritdoc/>
    public async ValueTask<long?> FindLengthAsync(string name, CancellationToken cancellation) =>
        (await FindAsync(name, cancellation).ConfigureAwait(false))?.ContentLength;

    /// <inheritdoc/>
    public async ValueTask<Stream> OpenAsync(string name, CancellationToken cancellation) =>
        await FindAsync(name, cancellation).ConfigureAwait(false) is { } head
            ? new S3Reader(client, prefix + name, head.ContentLength, head.ETag)
            : throw new BackupException($"The file '{name}' is missing in '{Description}'.");

    /// <inheritdoc/>
    public ValueTask<BackupFileStream> CreateAsync(string name, long lengthExpected, CancellationToken cancellation) =>
        ValueTask.FromResult<BackupFileStream>(new S3Writer(client, prefix + name, lengthExpected, cancellation));

    /// <inheritdoc/>
    public async ValueTask DeleteAsync(string name, CancellationToken cancellation)
    {
        try
        {
            await client.CallAsync(
                (s3, stop) => s3.DeleteObjectAsync(
                    new DeleteObjectRequest { BucketName = client.Settings.Bucket, Key = prefix + name }, stop),
                S3Destination.CallMax, cancellation).ConfigureAwait(false);
        }
        catch (BackupPlaceException e) when (S3Client.IsMissing(e))
        {
            // It is gone, as it should be.
        }
    }

    /// <inheritdoc/>
    public async ValueTask RemoveUnfinishedAsync(CancellationToken cancellation)
    {
        ListMultipartUploadsResponse answer;
        try
        {
            answer = await client.CallAsync(
                (s3, stop) => s3.ListMultipartUploadsAsync(
                    new ListMultipartUploadsRequest { BucketName = client.Settings.Bucket, Prefix = prefix }, stop),
                S3Destination.CallMax, cancellation).ConfigureAwait(false);
        }
        catch (BackupPlaceException e) when (S3Client.IsNotServed(e) || S3Client.IsMissing(e))
        {
            // Not every server lists them; they are in nobody's way.
            return;
        }

        foreach (MultipartUpload upload in (answer.MultipartUploads ?? [])
            .Where(one => one.Key.StartsWith(prefix, StringComparison.Ordinal)))
        {
            await AbortAsync(client, upload.Key, upload.UploadId, cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Ends an upload: its parts go.</summary>
    internal static async Task AbortAsync(S3Client client, string key, string id, CancellationToken cancellation)
    {
        try
        {
            await client.CallAsync(
                (s3, stop) => s3.AbortMultipartUploadAsync(
                    new AbortMultipartUploadRequest { BucketName = client.Settings.Bucket, Key = key, UploadId = id },
                    stop),
                S3Destination.CallMax, cancellation).ConfigureAwait(false);
        }
        catch (BackupPlaceException e) when (S3Client.IsMissing(e))
        {
            // It is gone, as it should be.
        }
    }

    private async Task<GetObjectMetadataResponse?> FindAsync(string name, CancellationToken cancellation)
    {
        try
        {
            return await client.CallAsync(
                (s3, stop) => s3.GetObjectMetadataAsync(
                    new GetObjectMetadataRequest { BucketName = client.Settings.Bucket, Key = prefix + name }, stop),
                S3Destination.CallMax, cancellation).ConfigureAwait(false);
        }
        catch (BackupPlaceException e) when (S3Client.IsMissing(e))
        {
            return null;
        }
    }
}
