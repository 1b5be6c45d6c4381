using System.Buffers.Binary;
using Raven.Storage.Backup;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Replication;
using Raven.Storage.Transactions;

namespace Raven.Cluster.Replication;

//   What is sent of the pages of a node (docs/formats/replication.md):
//
//   OFFSET  SIZE  FIELD
//        0     8  "RAVNCOPY"
//        8     4  1, the version
//       12     4  how many bytes of histories follow
//       16     8  the id of the environment
//       24     8  the transaction that the pages were changed since; 0: all
//       32        the histories, as a LineageFile has them
//                 a copy of pages (PageBackup)

/// <summary>The pages of a database on their way from a node to another one.</summary>
internal static class PageCopy
{
    private const string Name = "pages of another node";
    private const int HeadBytes = 32;
    private const int LineageBytesMax = 1 << 21;
    private const int Version = 1;

    /// <summary>A group is short of a node until the copy is there: that is worth more of the writers' rate than a
    /// backup is.</summary>
    private const int BytesPerSecondBesideWriters = 256 << 20;
    private const ulong Magic = 0x59504F434E564152;

    internal static async Task SendAsync(
        StorageEnvironment environment, long since, byte[] lineages, Stream target, CancellationToken cancellation)
    {
        byte[] head = new byte[HeadBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(head, Magic);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(8), Version);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(12), lineages.Length);
        BinaryPrimitives.WriteUInt64LittleEndian(head.AsSpan(16), environment.EnvironmentId);
        BinaryPrimitives.WriteInt64LittleEndian(head.AsSpan(24), since);
        await target.WriteAsync(head, cancellation).ConfigureAwait(false);
        await target.WriteAsync(lineages, cancellation).ConfigureAwait(false);
        var pages = new PageBackup(environment, since) { BytesPerSecondBesideWriters = BytesPerSecondBesideWriters };
        await pages.RunAsync(target, cancellation).ConfigureAwait(false);
    }

    /// <summary>
    /// Brings a folder that is not open to the state of what was sent. What it has of another history is kept aside.
    /// </summary>
    /// <param name="options">Those of the folder.</param>
    /// <param name="since">The transaction that was asked for; 0: all pages, for an empty folder.</param>
    /// <param name="source">What was sent.</param>
    /// <param name="cancellation">Ends it; what there is then waits for the next copy.</param>
    internal static async Task TakeAsync(
        StorageOptions options, long since, Stream source, CancellationToken cancellation)
    {
        byte[] head = new byte[HeadBytes];
        await source.ReadExactlyAsync(head, cancellation).ConfigureAwait(false);
        int lineageBytes = BinaryPrimitives.ReadInt32LittleEndian(head.AsSpan(12));
        ulong environmentId = BinaryPrimitives.ReadUInt64LittleEndian(head.AsSpan(16));
        if (BinaryPrimitives.ReadUInt64LittleEndian(head) != Magic
            || BinaryPrimitives.ReadInt32LittleEndian(head.AsSpan(8)) != Version
            || lineageBytes is < 0 or > LineageBytesMax
            || BinaryPrimitives.ReadInt64LittleEndian(head.AsSpan(24)) != since)
        {
            throw new StorageCorruptedException(
                Name, 0, $"they do not begin as those that have changed since transaction {since} do.");
        }

        byte[] lineages = new byte[lineageBytes];
        await source.ReadExactlyAsync(lineages, cancellation).ConfigureAwait(false);
        LineageFile histories = LineageFile.TryParse(lineages)
            ?? throw new StorageCorruptedException(Name, HeadBytes, "their histories do not have their hash.");
        Prepare(options, since, environmentId);
        using var delta = new PageDelta(options);
        if (delta.Base.TransactionId != since)
        {
            throw new StorageCorruptedException(
                Name, 0, $"they have what changed since transaction {since}, and {delta.Base} is here.");
        }

        // LINEAGE-2.
        histories.Write(options.FileSystem);
        await delta.ApplyAsync(Name, source, cancellation).ConfigureAwait(false);
    }

    /// <summary>Brings the folder to the state that the pages are added to.</summary>
    private static void Prepare(StorageOptions options, long since, ulong environmentId)
    {
        IFileSystem files = options.FileSystem;
        bool isUnfinished = PageDelta.IsUnfinished(files);
        if (since == 0 && !IsBegun(options, isUnfinished, environmentId))
        {
            string? kept = SetAside.Run(files);
            if (kept is not null && files.Exists(LineageFile.Name))
            {
                files.Rename(LineageFile.Name, kept + LineageFile.Name);
            }
            else
            {
                files.Delete(LineageFile.Name);
            }

            files.SyncDirectory();
            isUnfinished = false;
        }

        if (!isUnfinished)
        {
            // What follows the transaction is dropped, and the journal is used no more.
            StorageEnvironment.Open(options with { RecoverUpTo = since, NewEnvironmentId = environmentId }).Dispose();
        }
    }

    /// <summary>True if a copy of all pages was begun in the folder, or it is as empty as before one.</summary>
    private static bool IsBegun(StorageOptions options, bool isUnfinished, ulong environmentId)
    {
        LogScan? scan = LogScan.Run(options);
        return scan is { Last.TransactionId: 0 } && scan.EnvironmentId == environmentId
            && (isUnfinished || scan.Applied.TransactionId == 0);
    }
}
