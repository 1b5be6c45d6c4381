using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Subscriptions;

//   NAME                     STRUCTURE  KEY                                 VALUE
//   Subscriptions            Tree       folded name                         SubscriptionDefinition, JSON
//   Subscriptions.Positions  Tree       int64 id, big-endian                SubscriptionPosition, 40 bytes;
//                                                                           that of id 0 has the last id
//   Subscriptions.Owed       Tree       int64 id, big-endian; folded id of  OwedDocument, 32 bytes
//                                       a document
//
//   SUB-1  A change is behind the position of a subscription, or its document is owed, or a worker has acknowledged it,
//          or it does not match the query.
//   SUB-2  A document that a Concurrent worker gets is owed before it is sent, and until it is acknowledged: two
//          workers never have the same document.
//   SUB-3  A batch is confirmed only after its acknowledgement is durable.
//   SUB-4  What a batch leaves owed is decided by comparing etags: a version that was written while its document was
//          away, and that the position has passed meanwhile, is owed.
//   SUB-5  A batch that was filled ahead is sent only if no document changed since its snapshot was taken, and nothing
//          is owed: it is what would be read when it is sent.

/// <summary>The structures of subscriptions in a database. Names and layouts are part of the file format.</summary>
internal static class SubscriptionTables
{
    internal const int OwedKeySizeBytesMax = sizeof(long) + DocumentId.SizeBytesMax;

    internal static ReadOnlySpan<byte> Definitions => "Subscriptions"u8;

    internal static ReadOnlySpan<byte> Positions => "Subscriptions.Positions"u8;

    internal static ReadOnlySpan<byte> Owed => "Subscriptions.Owed"u8;

    /// <summary>The key of a name; false if it cannot be one.</summary>
    internal static bool TryKeyOf(string name, [NotNullWhen(true)] out byte[]? key)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        key = DocumentId.TryFold(Encoding.UTF8.GetBytes(name), folded, out int length, out _)
            ? folded[..length].ToArray()
            : null;
        return key is not null;
    }

    internal static byte[] KeyOf(long id)
    {
        byte[] key = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        return key;
    }

    /// <summary>Writes the key of a document that is owed.</summary>
    internal static int WriteOwedKey(Span<byte> target, long id, ReadOnlySpan<byte> documentKey)
    {
        BinaryPrimitives.WriteInt64BigEndian(target, id);
        documentKey.CopyTo(target[sizeof(long)..]);
        return sizeof(long) + documentKey.Length;
    }

    internal static SubscriptionDefinition? Find(Transaction transaction, string name) =>
        TryKeyOf(name, out byte[]? key) && transaction.TryOpenTree(Definitions) is { } tree
        && tree.TryGet(key, out NativeSlice value)
            ? SubscriptionDefinition.Parse(value.Span)
            : null;

    internal static List<SubscriptionDefinition> ReadAll(Transaction transaction)
    {
        List<SubscriptionDefinition> all = [];
        if (transaction.TryOpenTree(Definitions) is { } tree)
        {
            TreeCursor cursor = tree.GetCursor();
            for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
            {
                NativeSlice value = cursor.Value;
                all.Add(SubscriptionDefinition.Parse(value.Span));
            }
        }

        return all;
    }

    /// <summary>The position of a subscription; false if it was deleted.</summary>
    internal static bool TryReadPosition(Transaction transaction, long id, out SubscriptionPosition position)
    {
        position = default;
        if (transaction.TryOpenTree(Positions) is not { } tree || !tree.TryGet(KeyOf(id), out NativeSlice value))
        {
            return false;
        }

        position = SubscriptionPosition.Read(value.Span);
        return true;
    }

    internal static void WritePosition(WriteTransaction transaction, long id, SubscriptionPosition position)
    {
        Span<byte> bytes = stackalloc byte[SubscriptionPosition.SizeBytes];
        position.Write(bytes);
        transaction.OpenOrCreateTree(Positions).Put(KeyOf(id), bytes);
    }

    /// <summary>Whether documents of a subscription are owed.</summary>
    internal static bool HasOwed(Transaction transaction, long id)
    {
        if (transaction.TryOpenTree(Owed) is not { Count: > 0 } tree)
        {
            return false;
        }

        byte[] first = KeyOf(id);
        TreeCursor cursor = tree.GetCursor();
        return cursor.Seek(first) && cursor.Key.StartsWith(first);
    }

    /// <summary>Finds a document that is owed.</summary>
    internal static bool TryFindOwed(
        Transaction transaction, long id, ReadOnlySpan<byte> documentKey, out OwedDocument owed)
    {
        owed = default;
        if (transaction.TryOpenTree(Owed) is not { } tree)
        {
            return false;
        }

        Span<byte> key = stackalloc byte[OwedKeySizeBytesMax];
        bool isFound = tree.TryGet(key[..WriteOwedKey(key, id, documentKey)], out NativeSlice value);
        owed = isFound ? OwedDocument.Read(value.Span) : default;
        return isFound;
    }

    /// <summary>All documents that a subscription owes, by their folded ids.</summary>
    internal static List<(byte[] Key, OwedDocument Owed)> ReadOwed(Transaction transaction, long id)
    {
        List<(byte[], OwedDocument)> all = [];
        if (transaction.TryOpenTree(Owed) is { Count: > 0 } tree)
        {
            byte[] prefix = KeyOf(id);
            TreeCursor cursor = tree.GetCursor();
            for (bool isMore = cursor.Seek(prefix); isMore && cursor.Key.StartsWith(prefix); isMore = cursor.MoveNext())
            {
                NativeSlice value = cursor.Value;
                all.Add((cursor.Key[sizeof(long)..].ToArray(), OwedDocument.Read(value.Span)));
            }
        }

        return all;
    }

    internal static void PutOwed(Tree tree, long id, ReadOnlySpan<byte> documentKey, OwedDocument owed)
    {
        Span<byte> key = stackalloc byte[OwedKeySizeBytesMax];
        Span<byte> value = stackalloc byte[OwedDocument.SizeBytes];
        owed.Write(value);
        tree.Put(key[..WriteOwedKey(key, id, documentKey)], value);
    }

    internal static void DeleteOwed(Tree tree, long id, ReadOnlySpan<byte> documentKey)
    {
        Span<byte> key = stackalloc byte[OwedKeySizeBytesMax];
        tree.Delete(key[..WriteOwedKey(key, id, documentKey)]);
    }

    internal static void DeleteAllOwed(WriteTransaction transaction, long id)
    {
        if (transaction.TryOpenTree(Owed) is { } tree)
        {
            tree.DeleteRange(KeyOf(id), KeyOf(id + 1));
        }
    }
}
