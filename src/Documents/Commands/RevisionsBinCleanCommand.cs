using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Commands;

/// <summary>Deletes the revisions of some documents that were deleted long ago, in one transaction.</summary>
/// <param name="keptTicks">Those that were deleted after this time keep theirs.</param>
internal sealed class RevisionsBinCleanCommand(long keptTicks) : DocumentCommand
{
    private const int DocumentsMax = 64;

    /// <summary>A document may have any number of revisions: one that has many ends the transaction.</summary>
    private const int RevisionsMax = 1024;

    /// <summary>The documents whose revisions are gone.</summary>
    internal int Count { get; private set; }

    /// <summary>True if there may be more.</summary>
    internal bool IsMore { get; private set; }

    private protected override void Execute(DocumentWriter writer)
    {
        Count = 0;
        IsMore = false;
        RevisionTables revisions = writer.Revisions.Tables;
        if (!revisions.IsUsed)
        {
            return;
        }

        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        long deleted = 0;
        while (Count < DocumentsMax && deleted < RevisionsMax)
        {
            if (!revisions.TryFirstOfBin(key, out int length, out RowHeader deletion)
                || deletion.LastModifiedTicks > keptTicks)
            {
                EndStep(writer, deleted);
                return;
            }

            // The oldest first, so that the one of the deletion, which says when it was, is the last one to go.
            long of = revisions.DeleteSome(key[..length], RevisionsMax - (int)deleted);
            deleted += of;
            Count += deleted < RevisionsMax ? 1 : 0;
        }

        IsMore = true;
        EndStep(writer, deleted);
    }

    private static void EndStep(DocumentWriter writer, long deleted)
    {
        if (deleted > 0)
        {
            // As after a purge: cached answers with these revisions must not be used any more.
            writer.Tables.NextEtag();
        }
    }
}
