using System.IO.Hashing;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>Tells whether what memory keeps of the pages is still so (REPL-3): hashes of small structures.</summary>
internal static class GroupMarks
{
    /// <summary>The hashes of what settings and indexes are made of.</summary>
    internal static (ulong Settings, ulong Indexes) Of(Transaction transaction) => (
        HashOf(transaction, SettingsStore.TreeName, HashOf(transaction, UniqueStates.TreeName, 1)),
        HashOf(transaction, "Indexes"u8, HashOf(transaction, "IndexExtensions"u8, 1)));

    private static ulong HashOf(Transaction transaction, ReadOnlySpan<byte> name, ulong seed)
    {
        if (transaction.TryOpenTree(name) is not { } tree)
        {
            return seed;
        }

        TreeCursor cursor = tree.GetCursor();
        for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
        {
            seed = XxHash3.HashToUInt64(cursor.Key, unchecked((long)seed));
            seed = XxHash3.HashToUInt64(cursor.Value.Span, unchecked((long)seed));
        }

        return seed;
    }
}
