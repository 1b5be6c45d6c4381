using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows.Series;

//   NAME                       STRUCTURE  KEY       VALUE
//   TimeSeries.Rollups.Survey  Tree       "Survey"  hash of the policies (8 bytes), 1 if it is over or 0, the key of
//                                                   the last series that was looked at
//
//   RUP-4  After the policies have changed, all series are looked at once, some in each transaction: those that
//          were written before are in Due as those that are written after.

/// <summary>Looks at all time series of a database after their policies have changed.</summary>
internal static class RollupSurvey
{
    private const int SeriesMax = 1024;
    private const int KeyOffset = sizeof(ulong) + 1;

    internal static ReadOnlySpan<byte> TreeName => "TimeSeries.Rollups.Survey"u8;

    private static ReadOnlySpan<byte> Key => "Survey"u8;

    /// <summary>Whether all series were looked at since the policies have changed.</summary>
    internal static bool IsDone(Transaction transaction, TimeSeriesConfiguration configuration) =>
        TryRead(transaction, configuration, out NativeSlice stored) && stored.Span[sizeof(ulong)] == 1;

    /// <summary>Looks at some more of the series.</summary>
    /// <returns>True if there are more.</returns>
    internal static bool Continue(
        WriteTransaction transaction, TimeSeriesConfiguration configuration, DocumentTables documents,
        SeriesRollups rollups)
    {
        Span<byte> value = stackalloc byte[KeyOffset + SeriesKey.SizeBytesMax];
        int length = 0;
        if (TryRead(transaction, configuration, out NativeSlice stored))
        {
            if (stored.Span[sizeof(ulong)] == 1)
            {
                return false;
            }

            length = stored.Length - KeyOffset;
            stored.Span[KeyOffset..].CopyTo(value[KeyOffset..]);
        }

        bool isMore = true;
        for (int i = 0; i < SeriesMax && isMore; i++)
        {
            isMore = TryNext(transaction, value[KeyOffset..], ref length);
            if (isMore)
            {
                Look(documents, rollups, value.Slice(KeyOffset, length));
            }
        }

        BinaryPrimitives.WriteUInt64LittleEndian(value, configuration.PoliciesHash);
        value[sizeof(ulong)] = isMore ? (byte)0 : (byte)1;
        transaction.OpenOrCreateTree(TreeName).Put(Key, value[..(KeyOffset + length)]);
        return isMore;
    }

    private static bool TryRead(Transaction transaction, TimeSeriesConfiguration configuration, out NativeSlice stored)
    {
        stored = default;
        return transaction.TryOpenTree(TreeName) is { } tree && tree.TryGet(Key, out stored)
            && BinaryPrimitives.ReadUInt64LittleEndian(stored.Span) == configuration.PoliciesHash;
    }

    private static bool TryNext(WriteTransaction transaction, Span<byte> key, ref int length)
    {
        if (transaction.TryOpenTree(SeriesTables.NamesTree) is not { } names)
        {
            return false;
        }

        TreeCursor cursor = names.GetCursor();
        bool isOn = cursor.Seek(key[..length]);
        if (isOn && length != 0 && cursor.Key.SequenceEqual(key[..length]))
        {
            isOn = cursor.MoveNext();
        }

        if (isOn)
        {
            length = cursor.Key.Length;
            cursor.Key.CopyTo(key);
        }

        return isOn;
    }

    private static void Look(DocumentTables documents, SeriesRollups rollups, ReadOnlySpan<byte> seriesKey)
    {
        ReadOnlySpan<byte> documentKey = seriesKey[..seriesKey.LastIndexOf(TombstoneKey.Separator)];
        if (!documents.TryFind(documentKey, out _, out NativeSlice row)
            || rollups.RuleOf(RowLayout.ReadHeader(row.Span).CollectionId, seriesKey) is null)
        {
            return;
        }

        RollupState state = rollups.StateOf(seriesKey);
        state.Due = SeriesRollups.Now;
        rollups.Put(seriesKey, in state);
    }
}
