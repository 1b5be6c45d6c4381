using System.Buffers.Binary;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Ids;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Sweeps;

//   NAME        STRUCTURE  KEY                                       VALUE
//   Expiration  Tree       ticks of @expires, big-endian, folded id  empty
//   Refresh     Tree       ticks of @refresh, big-endian, folded id  empty
//   Archival    Tree       ticks of @archive-at, big-endian, folded id  empty
//   CompareExchange.Expiration
//               Tree       ticks of @expires, big-endian, folded key empty
//
//   DUE-1  A document with such a property has its key in the tree. A key may be left over from an earlier version or a
//          deleted document: a reader of the key checks the document, which decides.

/// <summary>When documents are due, in the order of time.</summary>
public static class DueTimes
{
    internal const int KeySizeBytesMax = sizeof(long) + DocumentId.SizeBytesMax;

    /// <summary>The name of the property in <c>@metadata</c> with the due time.</summary>
    internal static ReadOnlySpan<byte> MarkOf(SweepKind kind) =>
        kind == SweepKind.Refresh ? "@refresh"u8 : kind == SweepKind.Archival ? "@archive-at"u8 : "@expires"u8;

    /// <summary>The name of the tree.</summary>
    internal static ReadOnlySpan<byte> TreeOf(SweepKind kind) => kind switch
    {
        SweepKind.Expiration => "Expiration"u8,
        SweepKind.Refresh => "Refresh"u8,
        SweepKind.Archival => "Archival"u8,
        _ => "CompareExchange.Expiration"u8,
    };

    /// <summary>Reads a due time.</summary>
    /// <param name="metadata">The <c>@metadata</c> of a document, if it has some.</param>
    /// <param name="kind">Which property.</param>
    /// <param name="ticks">When it is due, UTC; 0 if it has none.</param>
    /// <returns>False if it is not a time.</returns>
    public static bool TryRead(BlittableObject metadata, SweepKind kind, out long ticks)
    {
        ticks = 0;
        if (!metadata.IsValid || !metadata.TryGet(MarkOf(kind), out BlittableValue value) || value.IsNull)
        {
            return true;
        }

        // The upper bound of a compressed text is larger than its length.
        const int textLengthMax = 256;
        Span<byte> utf8 = stackalloc byte[textLengthMax];
        if (value.Kind != ValueKind.String || value.Utf8LengthMax > textLengthMax)
        {
            return false;
        }

        Span<char> text = stackalloc char[textLengthMax];
        int length = System.Text.Encoding.UTF8.GetChars(utf8[..value.CopyUtf8To(utf8)], text);
        bool isTime = DocumentTime.TryRead(text[..length], out ticks);
        ticks = isTime ? Math.Max(1, ticks) : 0;
        return isTime;
    }

    internal static int WriteKey(Span<byte> target, long ticks, ReadOnlySpan<byte> documentKey)
    {
        BinaryPrimitives.WriteInt64BigEndian(target, ticks);
        documentKey.CopyTo(target[sizeof(long)..]);
        return sizeof(long) + documentKey.Length;
    }

    /// <summary>Remembers when a document is due.</summary>
    internal static void Add(WriteTransaction transaction, SweepKind kind, long ticks, ReadOnlySpan<byte> documentKey)
    {
        Span<byte> key = stackalloc byte[KeySizeBytesMax];
        Tree tree = transaction.OpenOrCreateTree(TreeOf(kind));
        tree.Put(key[..WriteKey(key, ticks, documentKey)], default);
    }

    /// <summary>True if something is due.</summary>
    internal static bool IsAnyDue(Transaction transaction, SweepKind kind, long nowTicks) =>
        NextOf(transaction, kind) <= nowTicks;

    /// <summary>True if a database expires, refreshes or archives documents, or has values that expire.</summary>
    internal static bool MayBe(Transaction transaction, DatabaseSettings settings) =>
        !settings.Expiration.IsDisabled || !settings.Refresh.IsDisabled || !settings.Archival.IsDisabled
        || transaction.TryOpenTree(TreeOf(SweepKind.CompareExchange)) is { Count: > 0 };

    /// <summary>When the next document or value is due; <see cref="long.MaxValue"/> if none is.</summary>
    internal static long Next(Transaction transaction, DatabaseSettings settings)
    {
        long next = NextOf(transaction, SweepKind.CompareExchange);
        next = settings.Expiration.IsDisabled ? next : Math.Min(next, NextOf(transaction, SweepKind.Expiration));
        next = settings.Archival.IsDisabled ? next : Math.Min(next, NextOf(transaction, SweepKind.Archival));
        return settings.Refresh.IsDisabled ? next : Math.Min(next, NextOf(transaction, SweepKind.Refresh));
    }

    private static long NextOf(Transaction transaction, SweepKind kind)
    {
        if (transaction.TryOpenTree(TreeOf(kind)) is not { } tree)
        {
            return long.MaxValue;
        }

        TreeCursor cursor = tree.GetCursor();
        return cursor.SeekFirst() ? BinaryPrimitives.ReadInt64BigEndian(cursor.Key) : long.MaxValue;
    }
}
