using System.Buffers;
using System.Buffers.Binary;
using System.Text.Json;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Indexing.Storage;

//   NAME    STRUCTURE  KEY                                           VALUE
//   Errors  Tree       number of the failure, big-endian (8)         JSON: At, Document, Action, Error

/// <summary>The failures of an index as they are stored in its environment, the oldest first.</summary>
internal static class StoredFailures
{
    private const int MessageLengthMax = 4096;

    private static ReadOnlySpan<byte> TreeName => "Errors"u8;

    /// <summary>Reads all that are stored.</summary>
    internal static List<IndexFailure> Read(Transaction transaction)
    {
        List<IndexFailure> failures = [];
        if (transaction.TryOpenTree(TreeName) is not { } tree)
        {
            return failures;
        }

        TreeCursor cursor = tree.GetCursor();
        for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
        {
            failures.Add(Parse(cursor.Value.Span));
        }

        return failures;
    }

    /// <summary>Adds some; the oldest are removed, so that no more than <paramref name="keptMax"/> are left.</summary>
    internal static void Add(WriteTransaction transaction, IReadOnlyList<IndexFailure> failures, int keptMax)
    {
        Tree tree = transaction.OpenOrCreateTree(TreeName);
        TreeCursor last = tree.GetCursor();
        long number = last.SeekLast() ? BinaryPrimitives.ReadInt64BigEndian(last.Key) : 0;
        Span<byte> key = stackalloc byte[sizeof(long)];
        for (int i = Math.Max(0, failures.Count - keptMax); i < failures.Count; i++)
        {
            BinaryPrimitives.WriteInt64BigEndian(key, ++number);
            tree.Put(key, ToBytes(failures[i]));
        }

        while (tree.Count > keptMax)
        {
            TreeCursor first = tree.GetCursor();
            first.SeekFirst();
            first.Key.CopyTo(key);
            tree.Delete(key);
        }
    }

    /// <summary>Removes all of them.</summary>
    internal static void Clear(WriteTransaction transaction) => transaction.DeleteStructure(TreeName);

    private static byte[] ToBytes(IndexFailure failure)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteString("At"u8, failure.At);
            json.WriteString("Document"u8, failure.DocumentId);
            json.WriteString("Action"u8, failure.Action);
            json.WriteString(
                "Error"u8, failure.Message.AsSpan(0, Math.Min(MessageLengthMax, failure.Message.Length)));
            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    private static IndexFailure Parse(ReadOnlySpan<byte> bytes)
    {
        using JsonDocument document = StoredJson.Parse(bytes);
        JsonElement root = document.RootElement;
        return new IndexFailure(
            root.GetProperty("At"u8).GetDateTimeOffset(),
            root.GetProperty("Document"u8).GetString(),
            root.GetProperty("Action"u8).GetString()!,
            root.GetProperty("Error"u8).GetString()!);
    }
}
