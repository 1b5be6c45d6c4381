using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Trees;

namespace Raven.Storage.Tables;

/// <summary>
/// Rows of fields in a heap, found by a primary key and by secondary indexes. A row is written in place:
/// <see cref="Insert"/> or <see cref="Update"/> gives its memory, the caller fills all fields, and
/// <see cref="TryComplete"/> reads the keys from them. It belongs to one transaction and one thread, and allocates
/// nothing after its first use.
/// </summary>
public sealed class Table : Structure
{
    private readonly RowHeap _heap;
    private readonly Structure[] _indexes;
    private readonly byte[][] _oldKeys;
    private readonly int[] _oldLengths;
    private long _pending;
    private long _updated;

    internal Table(TableSchema schema)
        : this(schema, new RowHeap(), IndexesOf(schema))
    {
    }

    private Table(TableSchema? schema, RowHeap heap, Structure[] indexes)
        : base([heap, .. indexes])
    {
        Schema = schema;
        _heap = heap;
        _indexes = indexes;
        _oldKeys = new byte[indexes.Length][];
        _oldLengths = new int[indexes.Length];
    }

    /// <inheritdoc/>
    public override StructureKind Kind => StructureKind.Table;

    /// <summary>How many rows there are; kept up to date, so that reading it is free.</summary>
    public long Count => _heap.Count;

    /// <summary>Sizes of the rows' pages; those of an index are with <see cref="GetIndexStatistics"/>.</summary>
    public TreeStatistics GetStatistics() => _heap.GetStatistics();

    internal TableSchema? Schema { get; }

    internal RowHeap Heap => _heap;

    internal ReadOnlySpan<Structure> IndexStructures => _indexes;

    /// <summary>Sizes and work of an index; 0 is the primary key.</summary>
    public TreeStatistics GetIndexStatistics(int index) =>
        _indexes[index] is FixedTree numbers ? numbers.GetStatistics() : ((Tree)_indexes[index]).GetStatistics();

    /// <summary>Finds a row by its primary key, as <see cref="TableKeys"/> writes it.</summary>
    public bool TryGet(ReadOnlySpan<byte> primaryKey, out TableRow row) => TryGet(0, primaryKey, out row);

    /// <summary>Finds the row of a key in a unique index, as <see cref="TableKeys"/> writes it.</summary>
    public bool TryGet(int index, ReadOnlySpan<byte> key, out TableRow row)
    {
        bool found = Unique(index).TryGet(key, out NativeSlice id);
        row = found ? Read(ReadId(id)) : default;
        return found;
    }

    /// <summary>Finds the row of a number in an index of numbers.</summary>
    public bool TryGet(int index, long number, out TableRow row)
    {
        bool found = Numbers(index).TryGet(number, out long id);
        row = found ? Read(id) : default;
        return found;
    }

    /// <summary>Gives a row by its id.</summary>
    /// <exception cref="StorageCorruptedException">There is no such row.</exception>
    public TableRow Read(long rowId) => new(rowId, _heap.Read(rowId), Fields);

    /// <summary>Adds a row, to be filled and completed before any other call on the table.</summary>
    /// <param name="fieldLengths">The bytes of each field.</param>
    /// <returns>The row, with undefined content.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The lengths are not those of a row.</exception>
    /// <exception cref="InvalidOperationException">A row is not complete, or the transaction only reads.</exception>
    public TableRow Insert(params ReadOnlySpan<int> fieldLengths)
    {
        CheckNothingPending();
        CheckFields(fieldLengths);
        _pending = _heap.Insert(TableRow.SizeOf(fieldLengths), out NativeSlice bytes);
        _updated = 0;
        TableRow.WriteEnds(bytes.WritableSpan, fieldLengths);
        return new TableRow(_pending, bytes, Fields);
    }

    /// <summary>
    /// Gives a row other content, to be filled and completed before any other call on the table. Slices of the row are
    /// invalid after this.
    /// </summary>
    /// <inheritdoc cref="Insert"/>
    public TableRow Update(long rowId, params ReadOnlySpan<int> fieldLengths)
    {
        CheckNothingPending();
        CheckFields(fieldLengths);
        int size = TableRow.SizeOf(fieldLengths);
        TableRow old = Read(rowId);
        ReadOnlySpan<TableIndex> indexes = Schema!.Indexes;
        for (int i = 0; i < indexes.Length; i++)
        {
            byte[] key = _oldKeys[i] ??= new byte[TreeLimits.KeySizeBytesMax];
            _oldLengths[i] = TableKeys.Write(indexes[i], old, key);
        }

        _pending = _heap.Update(rowId, size, out NativeSlice bytes);
        _updated = rowId;
        TableRow.WriteEnds(bytes.WritableSpan, fieldLengths);
        return new TableRow(_pending, bytes, Fields);
    }

    /// <summary>Puts the row that was added or updated into the indexes.</summary>
    /// <returns>
    /// False if another row has its key in a unique index; a row that was being added is then removed.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// An updated row has the key of another one: its old content is lost, the transaction must not be committed.
    /// </exception>
    public bool TryComplete(in TableRow row)
    {
        if (_pending == 0 || row.Id != _pending)
        {
            throw new InvalidOperationException("This row is not being added or updated.");
        }

        Span<byte> key = stackalloc byte[TreeLimits.KeySizeBytesMax];
        ReadOnlySpan<TableIndex> indexes = Schema!.Indexes;
        for (int i = 0; i < indexes.Length; i++)
        {
            int length = TableKeys.Write(indexes[i], row, key);
            if (!IsUnchanged(i, key[..length]) && IsTaken(i, indexes[i].Kind, key[..length]))
            {
                return GiveUp(row.Id);
            }
        }

        for (int i = 0; i < indexes.Length; i++)
        {
            int length = TableKeys.Write(indexes[i], row, key);
            bool isUnchanged = IsUnchanged(i, key[..length]);
            if (isUnchanged && row.Id == _updated)
            {
                continue;
            }

            if (_updated != 0 && (!isUnchanged || indexes[i].Kind == TableIndexKind.Multi))
            {
                Remove(i, indexes[i].Kind, _oldKeys[i].AsSpan(0, _oldLengths[i]), _updated);
            }

            Add(i, indexes[i].Kind, key[..length], row.Id);
        }

        _pending = 0;
        return true;
    }

    /// <summary>Removes a row.</summary>
    /// <exception cref="StorageCorruptedException">There is no such row.</exception>
    /// <exception cref="InvalidOperationException">A row is not complete, or the transaction only reads.</exception>
    public void Delete(long rowId)
    {
        CheckNothingPending();
        TableRow row = Read(rowId);
        Span<byte> key = stackalloc byte[TreeLimits.KeySizeBytesMax];
        ReadOnlySpan<TableIndex> indexes = Schema!.Indexes;
        for (int i = 0; i < indexes.Length; i++)
        {
            int length = TableKeys.Write(indexes[i], row, key);
            Remove(i, indexes[i].Kind, key[..length], rowId);
        }

        _heap.Delete(rowId);
    }

    /// <summary>A cursor over an index of keys, not yet on a row; 0 is the primary key.</summary>
    /// <exception cref="InvalidOperationException">It is an index of numbers.</exception>
    public TableCursor GetCursor(int index) => new(this, Keys(index), Schema!.Indexes[index].Kind);

    /// <summary>A cursor over an index of numbers; its values are row ids.</summary>
    /// <exception cref="InvalidOperationException">It is an index of keys.</exception>
    public FixedTreeCursor GetNumbers(int index) => Numbers(index).GetCursor();

    /// <summary>A table that is only removed.</summary>
    internal static Table OfUnknownSchema(ReadOnlySpan<byte> records)
    {
        var heap = new RowHeap();
        int start = Math.Min(records.Length, StructureRoot.SizeInBytes + heap.RecordSize);
        var indexes = new Structure[(records.Length - start) / StructureRoot.SizeInBytes];
        for (int i = 0; i < indexes.Length; i++)
        {
            var kind = (StructureKind)records[start + (i * StructureRoot.SizeInBytes)];
            indexes[i] = kind == StructureKind.FixedTree ? new FixedTree(sizeof(long)) : new Tree();
        }

        return new Table(null, heap, indexes);
    }

    internal static long ReadId(NativeSlice id)
    {
        if (id.Length != sizeof(long))
        {
            throw Damage.Of("an index entry holds no row id");
        }

        return MemoryMarshal.Read<long>(id.Span);
    }

    private protected override StructureRoot NewRoot() => StructureRoot.Empty(Kind, _indexes.Length);

    private protected override void OnAttached() => _pending = 0;

    private int Fields => Schema!.Fields;

    private static Structure[] IndexesOf(TableSchema schema)
    {
        var indexes = new Structure[schema.Indexes.Length];
        for (int i = 0; i < indexes.Length; i++)
        {
            bool isNumber = schema.Indexes[i].Kind == TableIndexKind.Number;
            indexes[i] = isNumber ? new FixedTree(sizeof(long)) : new Tree();
        }

        return indexes;
    }

    private Tree Keys(int index) => _indexes[index] as Tree ?? ThrowOtherIndex<Tree>();

    private FixedTree Numbers(int index) => _indexes[index] as FixedTree ?? ThrowOtherIndex<FixedTree>();

    private Tree Unique(int index) =>
        Schema!.Indexes[index].Kind == TableIndexKind.Unique ? Keys(index) : ThrowOtherIndex<Tree>();

    [DoesNotReturn]
    private static T ThrowOtherIndex<T>() => throw new InvalidOperationException("The index is of another kind.");

    private bool IsUnchanged(int index, ReadOnlySpan<byte> key) =>
        _updated != 0 && key.SequenceEqual(_oldKeys[index].AsSpan(0, _oldLengths[index]));

    private bool IsTaken(int index, TableIndexKind kind, ReadOnlySpan<byte> key) => kind switch
    {
        TableIndexKind.Unique => Keys(index).Contains(key),
        TableIndexKind.Number => Numbers(index).Contains(NumberOf(key)),
        _ => false,
    };

    private bool GiveUp(long rowId)
    {
        _pending = 0;
        if (_updated != 0)
        {
            throw new InvalidOperationException("An updated row has the key of another row in a unique index.");
        }

        _heap.Delete(rowId);
        return false;
    }

    private void Add(int index, TableIndexKind kind, ReadOnlySpan<byte> key, long rowId)
    {
        switch (kind)
        {
            case TableIndexKind.Unique:
                MemoryMarshal.Write(Keys(index).Reserve(key, sizeof(long)).WritableSpan, in rowId);
                break;
            case TableIndexKind.Number:
                Numbers(index).Put(NumberOf(key), rowId);
                break;
            default:
                Span<byte> withId = stackalloc byte[TreeLimits.KeySizeBytesMax];
                Keys(index).Reserve(WithId(key, rowId, withId), 0);
                break;
        }
    }

    private void Remove(int index, TableIndexKind kind, ReadOnlySpan<byte> key, long rowId)
    {
        Span<byte> withId = stackalloc byte[TreeLimits.KeySizeBytesMax];
        bool removed = kind switch
        {
            TableIndexKind.Unique => Keys(index).Delete(key),
            TableIndexKind.Number => Numbers(index).Delete(NumberOf(key)),
            _ => Keys(index).Delete(WithId(key, rowId, withId)),
        };
        if (!removed)
        {
            throw Damage.Of($"index {index} does not have the key of row {rowId}");
        }
    }

    private static ReadOnlySpan<byte> WithId(ReadOnlySpan<byte> key, long rowId, Span<byte> buffer)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(key.Length, buffer.Length - sizeof(long), nameof(key));
        key.CopyTo(buffer);
        BinaryPrimitives.WriteInt64BigEndian(buffer[key.Length..], rowId);
        return buffer[..(key.Length + sizeof(long))];
    }

    private static long NumberOf(ReadOnlySpan<byte> key) =>
        BinaryPrimitives.ReadInt64BigEndian(key) ^ long.MinValue;

    private void CheckNothingPending()
    {
        if (_pending != 0)
        {
            throw new InvalidOperationException("A row of this table was not completed.");
        }
    }

    private void CheckFields(ReadOnlySpan<int> fieldLengths) =>
        ArgumentOutOfRangeException.ThrowIfNotEqual(fieldLengths.Length, Fields, nameof(fieldLengths));
}
