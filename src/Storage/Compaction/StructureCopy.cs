using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Streams;
using Raven.Storage.Structures;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Storage.Compaction;

/// <summary>
/// Copies everything that a snapshot holds into an empty environment, in key order and so into full pages: the way to
/// give space back. Rows get new ids; the trees that hold ids are named by a <see cref="RowReference"/> and get the new
/// ones. The copy is made in transactions of bounded size; until the last one is committed the target is unusable.
/// </summary>
public sealed class StructureCopy
{
    private const long BytesPerTransaction = 16L << 20;

    private readonly ReadTransaction _source;
    private readonly StorageEnvironment _target;
    private readonly RowReference _reference;
    private readonly Action<long>? _copied;
    private WriteTransaction _transaction;
    private long _bytes;
    private long _bytesBefore;

    private StructureCopy(
        ReadTransaction source, StorageEnvironment target, RowReference reference, Action<long>? copied)
    {
        _copied = copied;
        _source = source;
        _target = target;
        _reference = reference;
        _transaction = target.BeginWrite();
    }

    /// <summary>Copies all structures.</summary>
    /// <param name="source">The snapshot.</param>
    /// <param name="target">An environment without structures.</param>
    /// <param name="reference">Which trees hold the ids of rows.</param>
    /// <param name="cancellation">Stops between two entries; the target is then unusable.</param>
    /// <param name="copied">Called after each transaction with the bytes of contents copied so far.</param>
    /// <exception cref="StorageCorruptedException">The source is damaged.</exception>
    /// <exception cref="OperationCanceledException">It was stopped.</exception>
    public static void Run(
        ReadTransaction source, StorageEnvironment target, RowReference reference, CancellationToken cancellation,
        Action<long>? copied = null)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(reference);

        // Until the target is closed: a copy that frees space does not reserve some ahead.
        target.Data.GrowsAsNeeded = true;
        var copy = new StructureCopy(source, target, reference, copied);
        try
        {
            copy.CopyAll(cancellation);
        }
        finally
        {
            copy._transaction.Dispose();
        }
    }

    private void CopyAll(CancellationToken cancellation)
    {
        // Heaps first: the trees need the new ids of their rows.
        foreach (StructureKind kind in (ReadOnlySpan<StructureKind>)
            [
                StructureKind.RowHeap, StructureKind.Tree, StructureKind.FixedTree, StructureKind.MultiTree,
                StructureKind.Streams, StructureKind.Table,
            ])
        {
            foreach (byte[] name in NamesOf(kind))
            {
                Copy(kind, name, cancellation);
            }
        }

        foreach (byte[] name in NamesOf(StructureKind.RowHeap))
        {
            _transaction.Catalog.Delete(RowIdMap.NameOf(name));
            Turn();
        }

        _transaction.Commit();
    }

    private void Copy(StructureKind kind, byte[] name, CancellationToken cancellation)
    {
        switch (kind)
        {
            case StructureKind.Tree:
                CopyTree(name, cancellation);
                break;
            case StructureKind.FixedTree:
                CopyFixedTree(name, cancellation);
                break;
            case StructureKind.MultiTree:
                CopyMultiTree(name, cancellation);
                break;
            case StructureKind.RowHeap:
                CopyHeap(name, cancellation);
                break;
            case StructureKind.Streams:
                CopyStreams(name, cancellation);
                break;
            default:
                CopyTable(name, cancellation);
                break;
        }
    }

    private void CopyTree(byte[] name, CancellationToken cancellation)
    {
        _reference(name, out ReadOnlySpan<byte> heap);
        Tree target = _transaction.OpenOrCreateTree(name);
        TreeCursor cursor = _source.TryOpenTree(name)!.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            NativeSlice value = cursor.Value;
            if (heap.IsEmpty)
            {
                target.Put(cursor.Key, value.Span);
            }
            else
            {
                long id = NewId(heap, MemoryMarshal.Read<long>(value.Span));
                target.Put(cursor.Key, MemoryMarshal.AsBytes(new ReadOnlySpan<long>(in id)));
            }

            if (Note(cursor.Key.Length + value.Length, cancellation))
            {
                target = _transaction.OpenOrCreateTree(name);
            }
        }
    }

    private void CopyFixedTree(byte[] name, CancellationToken cancellation)
    {
        _reference(name, out ReadOnlySpan<byte> heap);
        FixedTree source = _source.TryOpenFixedTree(name)!;
        FixedTree target = _transaction.OpenOrCreateFixedTree(name, source.ValueSizeBytes);
        FixedTreeCursor cursor = source.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            if (heap.IsEmpty)
            {
                target.Put(cursor.Key, cursor.Value.Span);
            }
            else
            {
                target.Put(cursor.Key, NewId(heap, cursor.Int64Value));
            }

            if (Note(sizeof(long) + source.ValueSizeBytes, cancellation))
            {
                target = _transaction.OpenOrCreateFixedTree(name, source.ValueSizeBytes);
            }
        }
    }

    private void CopyMultiTree(byte[] name, CancellationToken cancellation)
    {
        MultiTree source = _source.TryOpenMultiTree(name)!;
        MultiTree target = _transaction.OpenOrCreateMultiTree(name);
        TreeCursor keys = source.GetKeys();
        for (bool found = keys.SeekFirst(); found; found = keys.MoveNext())
        {
            MultiTreeCursor values = source.GetValues(keys.Key);
            while (values.MoveNext())
            {
                target.Add(keys.Key, values.Value.Span);
                if (Note(keys.Key.Length + values.Value.Length, cancellation))
                {
                    target = _transaction.OpenOrCreateMultiTree(name);
                }
            }
        }
    }

    private void CopyHeap(byte[] name, CancellationToken cancellation)
    {
        byte[] mapName = RowIdMap.NameOf(name);
        RowHeap target = _transaction.OpenOrCreateRowHeap(name);
        FixedTree map = _transaction.OpenOrCreateFixedTree(mapName, sizeof(long));
        RowHeapCursor cursor = _source.TryOpenRowHeap(name)!.GetCursor();
        while (cursor.MoveNext())
        {
            map.Put(cursor.RowId, target.Insert(cursor.Row.Span));
            if (Note(cursor.Row.Length, cancellation))
            {
                target = _transaction.OpenOrCreateRowHeap(name);
                map = _transaction.OpenOrCreateFixedTree(mapName, sizeof(long));
            }
        }
    }

    private void CopyStreams(byte[] name, CancellationToken cancellation)
    {
        StreamStore source = _source.TryOpenStreams(name)!;
        StreamStore target = _transaction.OpenOrCreateStreams(name);
        TreeCursor names = source.GetNames();
        for (bool found = names.SeekFirst(); found; found = names.MoveNext())
        {
            target.Create(names.Key);
            for (long offset = 0; source.TryGetChunk(names.Key, offset, out NativeSlice chunk); offset += chunk.Length)
            {
                target.Append(names.Key, chunk.Span);
                if (Note(chunk.Length, cancellation))
                {
                    target = _transaction.OpenOrCreateStreams(name);
                }
            }
        }
    }

    private void CopyTable(byte[] name, CancellationToken cancellation)
    {
        _source.Catalog.TryGetRoots(name, out NativeSlice roots);
        Table source = _source.Catalog.TryOpenTableOfUnknownSchema(name)!;
        Table target = _transaction.Catalog.OpenOrCreateTableLike(name, roots.Span);
        byte[] mapName = RowIdMap.NameOf(name);
        FixedTree map = _transaction.OpenOrCreateFixedTree(mapName, sizeof(long));
        RowHeapCursor rows = source.Heap.GetCursor();
        while (rows.MoveNext())
        {
            map.Put(rows.RowId, target.Heap.Insert(rows.Row.Span));
            if (Note(rows.Row.Length, cancellation))
            {
                target = _transaction.Catalog.OpenOrCreateTableLike(name, roots.Span);
                map = _transaction.OpenOrCreateFixedTree(mapName, sizeof(long));
            }
        }

        for (int i = 0; i < source.IndexStructures.Length; i++)
        {
            int index = i;
            (Structure Target, FixedTree Map) Open() => (
                _transaction.Catalog.OpenOrCreateTableLike(name, roots.Span).IndexStructures[index],
                _transaction.OpenOrCreateFixedTree(mapName, sizeof(long)));
            CopyIndex(source.IndexStructures[i], Open, cancellation);
        }

        _transaction.Catalog.Delete(mapName);
    }

    /// <param name="source">An index of a table.</param>
    /// <param name="open">Opens it in the target, with the map of ids, in the current transaction.</param>
    /// <param name="cancellation">Stops between two entries.</param>
    private void CopyIndex(Structure source, Func<(Structure, FixedTree)> open, CancellationToken cancellation)
    {
        (Structure target, FixedTree map) = open();
        if (source is FixedTree numbers)
        {
            FixedTreeCursor cursor = numbers.GetCursor();
            for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
            {
                ((FixedTree)target).Put(cursor.Key, NewId(map, cursor.Int64Value));
                if (Note(2 * sizeof(long), cancellation))
                {
                    (target, map) = open();
                }
            }

            return;
        }

        Span<byte> key = stackalloc byte[TreeLimits.KeySizeBytesMax];
        TreeCursor keys = ((Tree)source).GetCursor();
        for (bool found = keys.SeekFirst(); found; found = keys.MoveNext())
        {
            keys.Key.CopyTo(key);
            Span<byte> copy = key[..keys.Key.Length];
            if (keys.Value.IsEmpty)
            {
                // An index that allows many rows for a key: the id is the end of the entry's key.
                Span<byte> id = copy[^sizeof(long)..];
                BinaryPrimitives.WriteInt64BigEndian(id, NewId(map, BinaryPrimitives.ReadInt64BigEndian(id)));
                ((Tree)target).Reserve(copy, 0);
            }
            else
            {
                long id = NewId(map, Table.ReadId(keys.Value));
                ((Tree)target).Put(copy, MemoryMarshal.AsBytes(new ReadOnlySpan<long>(in id)));
            }

            if (Note(copy.Length + sizeof(long), cancellation))
            {
                (target, map) = open();
            }
        }
    }

    private long NewId(ReadOnlySpan<byte> heap, long oldId)
    {
        FixedTree map = _transaction.TryOpenFixedTree(RowIdMap.NameOf(heap))
            ?? throw new InvalidOperationException("A tree refers to the rows of a heap that is not there.");
        return NewId(map, oldId);
    }

    private static long NewId(FixedTree map, long oldId) => map.TryGet(oldId, out long newId)
        ? newId
        : throw Damage.Of($"an index refers to row {oldId}, which is not there");

    /// <summary>Counts what was copied, and starts a new transaction if this one is large enough.</summary>
    private bool Note(long bytes, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        _bytes += bytes;
        if (_bytes < BytesPerTransaction)
        {
            return false;
        }

        Turn();
        return true;
    }

    private void Turn()
    {
        _transaction.Commit();
        _transaction.Dispose();
        _bytesBefore += _bytes;
        _bytes = 0;
        _transaction = _target.BeginWrite();
        _copied?.Invoke(_bytesBefore);
    }

    private List<byte[]> NamesOf(StructureKind kind)
    {
        var names = new List<byte[]>();
        TreeCursor cursor = _source.Catalog.Names.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            if (!cursor.Value.IsEmpty && cursor.Value.Span[0] == (byte)kind)
            {
                names.Add(cursor.Key.ToArray());
            }
        }

        return names;
    }
}
