using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Indexing.Storage;
using Raven.Documents.Rows;
using Raven.Storage.Checks;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Backups;

/// <summary>Reads and changes the storage of a restored database before it becomes visible.</summary>
internal static class RestoredDatabase
{
    private const int SampleMax = 1_000;

    internal static long LastEtagOf(ReadTransaction reader) =>
        reader.TryOpenTree(DocumentSchema.Database) is { } database
            && database.TryGet(DocumentSchema.LastEtagKey, out NativeSlice value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value.Span)
            : 0;

    internal static long DocumentsOf(ReadTransaction reader) =>
        reader.TryOpenTree(DocumentSchema.DocumentsById)?.Count ?? 0;

    /// <summary>Checks what was restored.</summary>
    /// <param name="storage">The folder.</param>
    /// <param name="request">What was restored.</param>
    /// <param name="isWhole">Whether every page is checked, and documents are read.</param>
    /// <param name="dropsIndexes">Whether it loses its indexes.</param>
    /// <exception cref="BackupException">It is not what it should be.</exception>
    internal static void Check(StorageOptions storage, RestoreRequest request, bool isWhole, bool dropsIndexes)
    {
        BackupManifest manifest = request.Chain[^1];
        try
        {
            using StorageEnvironment environment = StorageEnvironment.Open(storage);
            using (ReadTransaction reader = environment.BeginRead())
            {
                if (reader.Id == manifest.TransactionId || request.Journal.Count == 0)
                {
                    Compare("documents", manifest.Documents, DocumentsOf(reader));
                    Compare("the last change", manifest.LastEtag, LastEtagOf(reader));
                    Compare("the transaction", manifest.TransactionId, reader.Id);
                }

                request.Checked(DocumentsOf(reader), LastEtagOf(reader), reader.CommittedAt);

                // What a state between two backups has was written down nowhere: all of it is looked at instead.
                if (isWhole || request.Journal.Count > 0)
                {
                    CheckAll(reader);
                }
            }

            if (dropsIndexes)
            {
                DropIndexes(environment);
            }
        }
        catch (StorageCorruptedException e)
        {
            throw new BackupException($"What '{manifest.File}' ends with is damaged: {e.Message}", e);
        }
    }

    private static void CheckAll(ReadTransaction reader)
    {
        CheckReport report = reader.Check();
        if (report.Findings.Count > 0)
        {
            throw new BackupException(
                $"What was restored is damaged in {report.Findings.Count} places: {report.Findings[0]}");
        }

        // Rows of documents all through the database: each must be readable as a document.
        if (reader.TryOpenFixedTree(DocumentSchema.DocumentsByEtag) is not { Count: > 0 } byEtag
            || reader.TryOpenRowHeap(DocumentSchema.Documents) is not { } rows)
        {
            return;
        }

        long step = Math.Max(1, byEtag.Count / SampleMax);
        FixedTreeCursor cursor = byEtag.GetCursor();
        long index = 0;
        for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
        {
            if (index++ % step == 0)
            {
                RowHeader header = RowLayout.ReadHeader(rows.Read(cursor.Int64Value).Span);
                Compare("the etag of a document", cursor.Key, header.Etag);
            }
        }
    }

    private static void DropIndexes(StorageEnvironment environment)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        IndexRecords.Clear(transaction);
        transaction.Commit();
    }

    private static void Compare(string what, long expected, long actual)
    {
        if (expected != actual)
        {
            throw new BackupException($"What was restored has {actual} for {what}, and not {expected}.");
        }
    }
}
