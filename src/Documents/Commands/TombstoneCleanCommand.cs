using Raven.Documents.Rows;
using Raven.Storage.Trees;

namespace Raven.Documents.Commands;

/// <summary>Removes some of the tombstones that nobody needs any more, the oldest first, in one transaction.</summary>
/// <param name="seenEtag">The last change that all that read deletions have seen.</param>
/// <param name="keptTicks">Deletions after this time are kept.</param>
/// <param name="givenUpTicks">Those before this time are removed, whether they were seen or not.</param>
internal sealed class TombstoneCleanCommand(long seenEtag, long keptTicks, long givenUpTicks) : DocumentCommand
{
    private const int CountMax = 512;

    /// <summary>How many were removed.</summary>
    internal int Count { get; private set; }

    /// <summary>How many of them were not seen by all.</summary>
    internal int GivenUp { get; private set; }

    /// <summary>True if there may be more.</summary>
    internal bool IsMore { get; private set; }

    private protected override void Execute(DocumentWriter writer)
    {
        Count = GivenUp = 0;
        IsMore = true;
        while (Count < CountMax)
        {
            FixedTreeCursor cursor = writer.Tables.TombstonesByEtag.GetCursor();
            if (!cursor.SeekFirst() || !MayGo(writer, cursor.Int64Value))
            {
                IsMore = false;
                return;
            }

            writer.Tables.ForgetTombstone(cursor.Int64Value);
            Count++;
        }
    }

    /// <summary>Whether a tombstone is not needed. A time in the future says nothing of its age: the clock was set
    /// back.</summary>
    private bool MayGo(DocumentWriter writer, long rowId)
    {
        RowHeader header = writer.Tables.ReadTombstone(rowId);
        bool isSeen = header.Etag <= seenEtag;
        bool isGivenUp = header.LastModifiedTicks <= givenUpTicks;
        bool isOld = header.LastModifiedTicks <= keptTicks || header.LastModifiedTicks > writer.Now.Ticks;
        if ((isSeen && isOld) || isGivenUp)
        {
            GivenUp += isSeen ? 0 : 1;
            return true;
        }

        return false;
    }
}
