using System.Buffers.Binary;
using System.Text;
using Raven.Blittable.Reading;
using Raven.Documents.Rules;
using Raven.Documents.Settings;
using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>Finds values that documents share.</summary>
internal static class UniqueReport
{
    private const int KeysPerCheck = 4096;

    /// <summary>Finds some of them.</summary>
    internal static List<UniqueSharedValue> Find(
        DocumentSnapshot snapshot, UniqueConstraint constraint, int sharedMax, CancellationToken cancellation)
    {
        List<UniqueSharedValue> shared = [];
        if (snapshot.Transaction.TryOpenTree(UniqueValues.TreeName) is not { } tree)
        {
            return shared;
        }

        Span<byte> number = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(number, constraint.Number);
        byte[] before = [];
        List<byte[]> keys = [];
        long read = 0;
        TreeCursor cursor = tree.GetCursor();
        for (bool more = cursor.Seek(number); more && cursor.Key.StartsWith(number); more = cursor.MoveNext())
        {
            if (++read % KeysPerCheck == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            int length = UniqueValues.PrefixLengthOf(cursor.Key);
            if (!before.AsSpan().SequenceEqual(cursor.Key[..length]))
            {
                AddTo(shared, snapshot, constraint, keys);
                if (shared.Count >= sharedMax)
                {
                    return shared;
                }

                before = cursor.Key[..length].ToArray();
                keys.Clear();
            }

            if (keys.Count < UniqueConstraints.HoldersMax)
            {
                keys.Add(cursor.Key[length..].ToArray());
            }
        }

        AddTo(shared, snapshot, constraint, keys);
        return shared;
    }

    private static void AddTo(
        List<UniqueSharedValue> shared, DocumentSnapshot snapshot, UniqueConstraint constraint, List<byte[]> keys)
    {
        if (keys.Count < 2)
        {
            return;
        }

        List<string> values = [];
        List<string> ids = [];
        foreach (byte[] key in keys)
        {
            if (!snapshot.TryGetByKey(key, out StoredDocument document))
            {
                continue;
            }

            ids.Add(Encoding.UTF8.GetString(document.Id.Span));
            for (int i = 0; ids.Count == 1 && i < constraint.Paths.Length; i++)
            {
                bool isThere = UniqueValues.TryFind(document.Data, constraint.Paths[i], out BlittableValue value);
                values.Add(isThere ? UniqueWriter.TextOf(value) : "null");
            }
        }

        shared.Add(new UniqueSharedValue(values, ids));
    }
}
