using System.Runtime.CompilerServices;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Streams;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Storage.Structures;

/// <summary>
/// All structures of an environment by name: a tree from name to root record, whose own root record the transaction
/// keeps. One catalog serves one transaction at a time and may be used again for the next one; it then opens what it
/// has opened before without allocating.
/// </summary>
internal sealed class Catalog
{
    /// <summary>The size of the catalog's own record.</summary>
    internal const int RecordSizeInBytes = StructureRoot.SizeInBytes;

    /// <summary>The longest name, in bytes of UTF-8.</summary>
    internal const int NameSizeBytesMax = 512;

    private readonly Tree _names = new();
    private readonly Dictionary<byte[], Structure> _known = new(NameComparer.Instance);
    private readonly Dictionary<byte[], Structure>.AlternateLookup<ReadOnlySpan<byte>> _knownBySpan;
    private readonly List<Structure> _open = [];
    private long _generation;

    internal Catalog() => _knownBySpan = _known.GetAlternateLookup<ReadOnlySpan<byte>>();

    internal Tree Names => _names;

    /// <summary>Starts a transaction.</summary>
    /// <param name="pages">Its pages; an <see cref="IPageWriter"/> if it may write.</param>
    /// <param name="record">What <see cref="Save"/> gave last; zeros for a new environment.</param>
    /// <exception cref="StorageCorruptedException">The record cannot be one.</exception>
    internal void Begin(IPageReader pages, ReadOnlySpan<byte> record)
    {
        _generation++;
        _open.Clear();
        StructureRoot root = record.IndexOfAnyExcept((byte)0) < 0
            ? StructureRoot.Empty(StructureKind.Tree)
            : StructureRoot.Read(record, StructureKind.Tree);
        _names.Attach(pages, root);
    }

    /// <summary>Writes the roots that changed, and gives the record of the catalog itself.</summary>
    internal void Save(Span<byte> record)
    {
        foreach (Structure structure in _open)
        {
            if (structure.IsChanged)
            {
                structure.WriteRoots(_names.Reserve(structure.NameBytes, structure.RecordSize).WritableSpan);
            }
        }

        _names.Root.Write(record);
    }

    /// <summary>The transaction has ended: structures opened in it can no longer be used.</summary>
    internal void End()
    {
        foreach (Structure structure in _open)
        {
            structure.Detach();
        }

        _open.Clear();
        _names.Detach();
    }

    /// <summary>The root records under a name, whatever they are.</summary>
    internal bool TryGetRoots(ReadOnlySpan<byte> name, out NativeSlice records) => _names.TryGet(name, out records);

    /// <summary>Opens the tree of a name, or gives null if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal Tree? TryOpenTree(ReadOnlySpan<byte> name) => Unsafe.As<Tree?>(TryOpen(name, StructureKind.Tree));

    /// <inheritdoc cref="TryOpenTree(ReadOnlySpan{byte})"/>
    internal Tree? TryOpenTree(string name) => TryOpenTree(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the tree of a name, and makes it if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal Tree OpenOrCreateTree(ReadOnlySpan<byte> name) =>
        Unsafe.As<Tree>(TryOpen(name, StructureKind.Tree) ?? Create(name, new Tree()));

    /// <inheritdoc cref="OpenOrCreateTree(ReadOnlySpan{byte})"/>
    internal Tree OpenOrCreateTree(string name) => OpenOrCreateTree(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the fixed tree of a name, or gives null if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal FixedTree? TryOpenFixedTree(ReadOnlySpan<byte> name) =>
        Unsafe.As<FixedTree?>(TryOpen(name, StructureKind.FixedTree));

    /// <inheritdoc cref="TryOpenFixedTree(ReadOnlySpan{byte})"/>
    internal FixedTree? TryOpenFixedTree(string name) =>
        TryOpenFixedTree(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the fixed tree of a name, and makes it if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure, or of a fixed tree with
    /// values of another size.</exception>
    internal FixedTree OpenOrCreateFixedTree(ReadOnlySpan<byte> name, int valueSizeBytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)valueSizeBytes, (uint)FixedTree.ValueSizeBytesMax);
        var tree = Unsafe.As<FixedTree>(
            TryOpen(name, StructureKind.FixedTree) ?? Create(name, new FixedTree(valueSizeBytes)));
        return tree.ValueSizeBytes == valueSizeBytes
            ? tree
            : throw new InvalidOperationException($"The values of this tree have {tree.ValueSizeBytes} bytes.");
    }

    /// <inheritdoc cref="OpenOrCreateFixedTree(ReadOnlySpan{byte}, int)"/>
    internal FixedTree OpenOrCreateFixedTree(string name, int valueSizeBytes) =>
        OpenOrCreateFixedTree(Utf8(name, stackalloc byte[NameSizeBytesMax]), valueSizeBytes);

    /// <summary>Opens the heap of a name, or gives null if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal RowHeap? TryOpenRowHeap(ReadOnlySpan<byte> name) =>
        Unsafe.As<RowHeap?>(TryOpen(name, StructureKind.RowHeap));

    /// <inheritdoc cref="TryOpenRowHeap(ReadOnlySpan{byte})"/>
    internal RowHeap? TryOpenRowHeap(string name) => TryOpenRowHeap(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the heap of a name, and makes it if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal RowHeap OpenOrCreateRowHeap(ReadOnlySpan<byte> name) =>
        Unsafe.As<RowHeap>(TryOpen(name, StructureKind.RowHeap) ?? Create(name, new RowHeap()));

    /// <inheritdoc cref="OpenOrCreateRowHeap(ReadOnlySpan{byte})"/>
    internal RowHeap OpenOrCreateRowHeap(string name) =>
        OpenOrCreateRowHeap(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the multi-value tree of a name, or gives null if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal MultiTree? TryOpenMultiTree(ReadOnlySpan<byte> name) =>
        Unsafe.As<MultiTree?>(TryOpen(name, StructureKind.MultiTree));

    /// <inheritdoc cref="TryOpenMultiTree(ReadOnlySpan{byte})"/>
    internal MultiTree? TryOpenMultiTree(string name) =>
        TryOpenMultiTree(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the multi-value tree of a name, and makes it if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal MultiTree OpenOrCreateMultiTree(ReadOnlySpan<byte> name) =>
        Unsafe.As<MultiTree>(TryOpen(name, StructureKind.MultiTree) ?? Create(name, new MultiTree()));

    /// <inheritdoc cref="OpenOrCreateMultiTree(ReadOnlySpan{byte})"/>
    internal MultiTree OpenOrCreateMultiTree(string name) =>
        OpenOrCreateMultiTree(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the streams of a name, or gives null if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal StreamStore? TryOpenStreams(ReadOnlySpan<byte> name) =>
        Unsafe.As<StreamStore?>(TryOpen(name, StructureKind.Streams));

    /// <inheritdoc cref="TryOpenStreams(ReadOnlySpan{byte})"/>
    internal StreamStore? TryOpenStreams(string name) => TryOpenStreams(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the streams of a name, and makes it if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal StreamStore OpenOrCreateStreams(ReadOnlySpan<byte> name) =>
        Unsafe.As<StreamStore>(TryOpen(name, StructureKind.Streams) ?? Create(name, new StreamStore()));

    /// <inheritdoc cref="OpenOrCreateStreams(ReadOnlySpan{byte})"/>
    internal StreamStore OpenOrCreateStreams(string name) =>
        OpenOrCreateStreams(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the table of a name, or gives null if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal Table? TryOpenTable(ReadOnlySpan<byte> name, TableSchema schema) =>
        Unsafe.As<Table?>(TryOpen(name, StructureKind.Table, schema));

    /// <summary>Opens the table of a name, and makes it if there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal Table OpenOrCreateTable(ReadOnlySpan<byte> name, TableSchema schema) =>
        Unsafe.As<Table>(TryOpen(name, StructureKind.Table, schema) ?? Create(name, new Table(schema)));

    /// <summary>Opens a table to read or copy its parts, or gives null if there is none.</summary>
    internal Table? TryOpenTableOfUnknownSchema(ReadOnlySpan<byte> name) =>
        Unsafe.As<Table?>(TryOpen(name, StructureKind.Table));

    /// <summary>Opens the table of a name, and makes one of the same parts if there is none.</summary>
    internal Table OpenOrCreateTableLike(ReadOnlySpan<byte> name, ReadOnlySpan<byte> records) =>
        Unsafe.As<Table>(TryOpen(name, StructureKind.Table) ?? Create(name, Table.OfUnknownSchema(records)));

    /// <summary>Removes a structure of any kind and frees its pages.</summary>
    /// <returns>False if there is none.</returns>
    internal bool Delete(ReadOnlySpan<byte> name)
    {
        _knownBySpan.TryGetValue(name, out Structure? structure);
        bool isOpen = structure is not null && structure.Generation == _generation;
        if (!isOpen)
        {
            if (!TryGetRoots(name, out NativeSlice records) || records.IsEmpty)
            {
                return false;
            }

            structure = TryOpen(name, (StructureKind)records.Span[0]);
        }
        structure!.Clear();
        structure.Detach();
        structure.Generation = 0;
        _open.Remove(structure);
        _names.Delete(name);
        return true;
    }

    /// <inheritdoc cref="Delete(ReadOnlySpan{byte})"/>
    internal bool Delete(string name) => Delete(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    private static ReadOnlySpan<byte> Utf8(string name, Span<byte> buffer) =>
        Encoding.UTF8.TryGetBytes(name, buffer, out int written)
            ? buffer[..written]
            : throw new ArgumentOutOfRangeException(nameof(name), $"A name has at most {NameSizeBytesMax} bytes.");

    private static Structure New(StructureKind kind, TableSchema? schema, ReadOnlySpan<byte> records) => kind switch
    {
        StructureKind.Table => schema is null ? Table.OfUnknownSchema(records) : new Table(schema),
        StructureKind.FixedTree => new FixedTree(),
        StructureKind.MultiTree => new MultiTree(),
        StructureKind.RowHeap => new RowHeap(),
        StructureKind.Streams => new StreamStore(),
        StructureKind.Tree => new Tree(),
        _ => throw Damage.Of($"a root record is of the unknown kind {(int)kind}"),
    };

    private Structure? TryOpen(ReadOnlySpan<byte> name, StructureKind kind, TableSchema? schema = null)
    {
        if (_knownBySpan.TryGetValue(name, out Structure? structure) && structure.Generation == _generation)
        {
            return structure.Kind == kind ? structure : ThrowOtherKind(structure.Kind, kind);
        }

        if (!_names.TryGet(name, out NativeSlice record) || record.IsEmpty)
        {
            return null;
        }

        var found = (StructureKind)record.Span[0];
        if (found != kind)
        {
            return ThrowOtherKind(found, kind);
        }

        bool fits = structure?.Kind == kind && (schema is null || ((Table)structure).Schema == schema);
        structure = Know(name, fits ? structure! : New(kind, schema, record.Span));
        structure.Attach(_names.Pages, record.Span);
        return structure;
    }

    private Structure Create(ReadOnlySpan<byte> name, Structure structure)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(name.Length, NameSizeBytesMax, nameof(name));
        _ = _names.Writer;
        Know(name, structure);
        structure.AttachNew(_names.Pages);
        return structure;
    }

    private Structure Know(ReadOnlySpan<byte> name, Structure structure)
    {
        if (structure.NameBytes.Length == 0)
        {
            structure.NameBytes = name.ToArray();
        }

        _knownBySpan[name] = structure;
        structure.Generation = _generation;
        _open.Add(structure);
        return structure;
    }

    private static Structure ThrowOtherKind(StructureKind found, StructureKind wanted) =>
        throw new InvalidOperationException($"The name is that of a {found}, not of a {wanted}.");
}
