using System.Buffers.Binary;
using System.Security.Cryptography;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows;

//   NAME      STRUCTURE  KEY                                             VALUE
//   Requests  Tree       0, SHA-256 of the request's id and its subject  ticks when it was done, result; little-endian
//                        1, ticks big-endian, the same SHA-256           empty
//
//   REQ-1  A request that is remembered is in the tree by the transaction that has done it: whoever sends it again, to
//          any node, within TimeKept gets the same result, and nothing is done.

/// <summary>What was done for requests that clients send again when they do not know whether they were done.</summary>
internal static class RememberedRequests
{
    /// <summary>How long a request is remembered.</summary>
    internal static readonly TimeSpan TimeKept = TimeSpan.FromMinutes(10);

    /// <summary>How many are forgotten for each that is added: the tree does not grow for ever.</summary>
    private const int ForgottenAtOnce = 4;

    private const int HashSizeBytes = SHA256.HashSizeInBytes;
    private const int RequestKeySizeBytes = 1 + HashSizeBytes;
    private const int TimeKeySizeBytes = 1 + sizeof(long) + HashSizeBytes;
    private const int ValueSizeBytes = 2 * sizeof(long);

    private static ReadOnlySpan<byte> TreeName => "Requests"u8;

    /// <summary>What a request is recognised by.</summary>
    /// <param name="id">Its id, as its sender has made it.</param>
    /// <param name="subject">What it is about: the same id with another subject is another request.</param>
    /// <param name="target">Takes the bytes.</param>
    internal static void Hash(ReadOnlySpan<byte> id, ReadOnlySpan<byte> subject, Span<byte> target)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, id.Length);
        hash.AppendData(length);
        hash.AppendData(id);
        hash.AppendData(subject);
        hash.GetHashAndReset(target);
    }

    /// <summary>The result of a request, if it was done not long ago.</summary>
    internal static bool TryGet(WriteTransaction transaction, ReadOnlySpan<byte> hash, DateTime now, out long result)
    {
        result = 0;
        Span<byte> key = stackalloc byte[RequestKeySizeBytes];
        WriteKey(key, hash);
        if (transaction.TryOpenTree(TreeName) is not { } tree || !tree.TryGet(key, out NativeSlice value)
            || value.Length != ValueSizeBytes
            || BinaryPrimitives.ReadInt64LittleEndian(value.Span) < (now - TimeKept).Ticks)
        {
            return false;
        }

        result = BinaryPrimitives.ReadInt64LittleEndian(value.Span[sizeof(long)..]);
        return true;
    }

    /// <summary>Remembers a request that this transaction does, and forgets some that are old.</summary>
    internal static void Add(WriteTransaction transaction, ReadOnlySpan<byte> hash, DateTime now, long result)
    {
        Tree tree = transaction.OpenOrCreateTree(TreeName);
        Forget(tree, (now - TimeKept).Ticks);
        Span<byte> key = stackalloc byte[RequestKeySizeBytes];
        WriteKey(key, hash);
        Span<byte> value = stackalloc byte[ValueSizeBytes];
        BinaryPrimitives.WriteInt64LittleEndian(value, now.Ticks);
        BinaryPrimitives.WriteInt64LittleEndian(value[sizeof(long)..], result);
        tree.Put(key, value);
        Span<byte> time = stackalloc byte[TimeKeySizeBytes];
        time[0] = 1;
        BinaryPrimitives.WriteInt64BigEndian(time[1..], now.Ticks);
        hash.CopyTo(time[(1 + sizeof(long))..]);
        tree.Put(time, default);
    }

    private static void WriteKey(Span<byte> key, ReadOnlySpan<byte> hash)
    {
        key[0] = 0;
        hash.CopyTo(key[1..]);
    }

    private static void Forget(Tree tree, long before)
    {
        Span<byte> time = stackalloc byte[TimeKeySizeBytes];
        Span<byte> key = stackalloc byte[RequestKeySizeBytes];
        for (int i = 0; i < ForgottenAtOnce; i++)
        {
            TreeCursor cursor = tree.GetCursor();
            if (!cursor.Seek([1]) || cursor.Key.Length != TimeKeySizeBytes)
            {
                return;
            }

            cursor.Key.CopyTo(time);
            long ticks = BinaryPrimitives.ReadInt64BigEndian(time[1..]);
            if (ticks >= before)
            {
                return;
            }

            WriteKey(key, time[(1 + sizeof(long))..]);
            if (tree.TryGet(key, out NativeSlice value) && value.Length == ValueSizeBytes
                && BinaryPrimitives.ReadInt64LittleEndian(value.Span) == ticks)
            {
                tree.Delete(key);
            }

            tree.Delete(time);
        }
    }
}
