using Raven.Documents.Commands;
using Raven.Documents.Ids;

namespace Raven.Documents.Revisions;

/// <summary>Deletes revisions of documents: all of them, or those of some versions.</summary>
public sealed class RevisionPurgeCommand(List<byte[]> ids, List<long> etags) : DocumentCommand
{
    /// <summary>How many were deleted.</summary>
    public long Deleted { get; private set; }

    private protected override void Execute(DocumentWriter writer)
    {
        Deleted = 0;
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        foreach (byte[] id in ids)
        {
            if (!DocumentId.TryFold(id, key, out int length, out _))
            {
                continue;
            }

            if (etags.Count == 0)
            {
                Deleted += writer.Revisions.Tables.DeleteAll(key[..length]);
            }

            foreach (long etag in etags)
            {
                Deleted += writer.Revisions.Tables.Delete(key[..length], etag) ? 1 : 0;
            }
        }

        if (Deleted > 0)
        {
            // No document has changed, but cached answers with the deleted revisions must not be used any more.
            writer.Tables.NextEtag();
        }
    }
}
