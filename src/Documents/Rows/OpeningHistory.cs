using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows;

//   NAME      STRUCTURE  KEY                                                     VALUE
//   Openings  FixedTree  the last etag when the database was opened, int64       int64, a number drawn for that opening
//
//   OPN-1  The first change of an opening writes its entry, in its own transaction: the etags above an entry's key, up
//          to the next one's, were given out in that opening.
//   OPN-2  Etags whose changes were lost are given out again, but only in a later opening: its entry says from which
//          one on. So an opening and an etag name one state of the documents, and no other.

/// <summary>
/// Says whether the documents still are as a reader once read them: a reader that keeps an opening and the last etag of
/// it can ask later.
/// </summary>
internal static class OpeningHistory
{
    /// <summary>How many openings are kept. A reader of an older one has to read anew.</summary>
    internal const int KeptMax = 1024;

    internal static ReadOnlySpan<byte> Name => "Openings"u8;

    /// <summary>The opening that gave out the last etag; 0 if no opening changed anything.</summary>
    internal static long Last(Transaction transaction)
    {
        if (transaction.TryOpenFixedTree(Name) is not { } openings)
        {
            return 0;
        }

        FixedTreeCursor cursor = openings.GetCursor();
        return cursor.SeekLast() ? cursor.Int64Value : 0;
    }

    /// <summary>Says why the documents are not as they were read; null if they are.</summary>
    /// <param name="transaction">The documents.</param>
    /// <param name="opening">In which opening it was read; 0 before the first.</param>
    /// <param name="etag">Up to which etag.</param>
    internal static string? FindDivergence(Transaction transaction, long opening, long etag)
    {
        bool isFound = opening == 0;
        long end = LastEtag(transaction);
        if (transaction.TryOpenFixedTree(Name) is { } openings)
        {
            FixedTreeCursor cursor = openings.GetCursor();
            for (bool isMore = cursor.SeekLast(); isMore; isMore = cursor.MovePrevious())
            {
                if (opening != 0 && cursor.Int64Value == opening)
                {
                    isFound = true;
                    break;
                }

                end = cursor.Key;
            }
        }

        return !isFound ? $"it is at {etag} of changes that the documents do not have"
            : etag > end ? $"it is at {etag}, and of those changes the documents have only {end}"
            : null;
    }

    private static long LastEtag(Transaction transaction) =>
        transaction.TryOpenTree(DocumentSchema.Database) is { } database
        && database.TryGet(DocumentSchema.LastEtagKey, out NativeSlice value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value.Span)
            : 0;
}
