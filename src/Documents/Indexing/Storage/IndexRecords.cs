using System.Text;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Indexing.Storage;

//   NAME      STRUCTURE  KEY                              VALUE
//   Indexes   Tree       name of the index, upper case    IndexRecord, JSON

/// <summary>The stored records of a database's indexes.</summary>
internal static class IndexRecords
{
    internal static ReadOnlySpan<byte> TreeName => "Indexes"u8;

    /// <summary>The key of an index: its name in upper case, as names are the same in any case.</summary>
    internal static byte[] KeyOf(string name) => Encoding.UTF8.GetBytes(name.ToUpperInvariant());

    /// <summary>Reads the records of all indexes.</summary>
    internal static List<IndexRecord> ReadAll(Transaction transaction)
    {
        List<IndexRecord> records = [];
        if (transaction.TryOpenTree(TreeName) is not { } tree)
        {
            return records;
        }

        TreeCursor cursor = tree.GetCursor();
        for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
        {
            NativeSlice value = cursor.Value;
            records.Add(IndexRecord.Parse(value.Span));
        }

        return records;
    }

    /// <summary>Removes the records of all indexes.</summary>
    internal static void Clear(WriteTransaction transaction)
    {
        if (transaction.TryOpenTree(TreeName) is not { } tree)
        {
            return;
        }

        foreach (IndexRecord record in ReadAll(transaction))
        {
            tree.Delete(KeyOf(record.Definition.Name));
        }
    }
}
