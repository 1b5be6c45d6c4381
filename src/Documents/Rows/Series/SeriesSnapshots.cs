using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows.Series;

//   NAME                  STRUCTURE  KEY                                    VALUE
//   Revisions.TimeSeries  Tree       etag of the revision, big-endian;      StoredSeries
//                                    folded name
//
//   TS-6  A revision of a document with time series has what they were when the version was kept: how many points, from
//         when to when. Their points are not kept.

/// <summary>What is kept of time series with revisions of their documents.</summary>
internal static class SeriesSnapshots
{
    private const int KeySizeBytesMax = sizeof(long) + Ids.DocumentId.SizeBytesMax;

    internal static ReadOnlySpan<byte> TreeName => "Revisions.TimeSeries"u8;

    /// <summary>Keeps what the series of a document are.</summary>
    internal static void Keep(WriteTransaction transaction, ReadOnlySpan<byte> documentKey, long etag)
    {
        if (transaction.TryOpenTree(SeriesTables.NamesTree) is not { } names)
        {
            return;
        }

        Tree snapshots = transaction.OpenOrCreateTree(TreeName);
        Span<byte> next = stackalloc byte[SeriesKey.SizeBytesMax + 1];
        int prefix = SeriesKey.WritePrefix(next, documentKey);
        int length = prefix;
        Span<byte> key = stackalloc byte[KeySizeBytesMax];
        Span<byte> value = stackalloc byte[StoredSeries.NameOffset + Ids.DocumentId.SizeBytesMax];
        BinaryPrimitives.WriteInt64BigEndian(key, etag);
        TreeCursor cursor = names.GetCursor();
        while (cursor.Seek(next[..length]) && cursor.Key.StartsWith(next[..prefix]))
        {
            ReadOnlySpan<byte> name = cursor.Key[prefix..];
            name.CopyTo(key[sizeof(long)..]);
            name.CopyTo(next[prefix..]);
            length = prefix + name.Length;
            int keyLength = sizeof(long) + name.Length;
            ReadOnlySpan<byte> stored = cursor.Value.Span;
            stored.CopyTo(value);
            snapshots.Put(key[..keyLength], value[..stored.Length]);

            // Behind this name there is none that sorts before the name and a zero.
            next[length] = 0;
            length++;
            cursor = names.GetCursor();
        }
    }

    /// <summary>Removes what was kept with a revision.</summary>
    internal static void Remove(WriteTransaction transaction, long etag)
    {
        if (transaction.TryOpenTree(TreeName) is not { } snapshots)
        {
            return;
        }

        Span<byte> from = stackalloc byte[sizeof(long)];
        Span<byte> to = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(from, etag);
        BinaryPrimitives.WriteInt64BigEndian(to, etag + 1);
        snapshots.DeleteRange(from, to);
    }

    /// <summary>Goes to the next series of a revision.</summary>
    /// <param name="cursor">A cursor over <see cref="TreeName"/>.</param>
    /// <param name="etag">The revision.</param>
    /// <param name="isStarted">Whether the cursor is on one of its series already.</param>
    /// <param name="series">The series as it was.</param>
    internal static bool TryMoveNext(ref TreeCursor cursor, long etag, bool isStarted, out StoredSeries series)
    {
        Span<byte> prefix = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(prefix, etag);
        bool isOn = (isStarted ? cursor.MoveNext() : cursor.Seek(prefix)) && cursor.Key.StartsWith(prefix);
        series = new StoredSeries(isOn ? cursor.Value : default(NativeSlice));
        return isOn;
    }
}
