using System.Runtime.CompilerServices;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;

namespace Raven.Storage.Trees;

/// <summary>
/// All structures of an environment by name: a tree from name to root record, whose own root record the transaction
/// keeps. One catalog serves one transaction at a time and may be used again for the next one; it then opens what it
/// has opened before without allocating.
/// </summary>
internal sealed class Catalog
{
    /// <summary>The size of the record that finds everything again.</summary>
    internal const int RecordSizeInBytes = RootRecord.SizeInBytes;

    /// <summary>The longest name, in bytes of UTF-8.</summary>
    internal const int NameSizeBytesMax = 512;

    private readonly Tree _names = new();
    private readonly Dictionary<byte[], Structure> _known = new(NameComparer.Instance);
    private readonly Dictionary<byte[], Structure>.AlternateLookup<ReadOnlySpan<byte>> _knownBySpan;
    private readonly List<Structure> _open = [];
    private long _generation;

    internal Catalog() => _knownBySpan = _known.GetAlternateLookup<ReadOnlySpan<byte>>();

    /// <summary>The tree of names.</summary>
    internal Tree Names => _names;

    /// <summary>Starts a transaction.</summary>
    /// <param name="pages">Its pages; an <see cref="IPageWriter"/> where it may write.</param>
    /// <param name="record">What <see cref="Save"/> gave last; zeros for a new environment.</param>
    /// <exception cref="StorageCorruptedException">The record cannot be one.</exception>
    internal void Begin(IPageReader pages, ReadOnlySpan<byte> record)
    {
        _generation++;
        _open.Clear();
        RootRecord root = record.IndexOfAnyExcept((byte)0) < 0
            ? RootRecord.Empty(StructureKind.Tree)
            : RootRecord.Read(record, StructureKind.Tree);
        _names.Attach(pages, root);
    }

    /// <summary>Writes the roots that changed, and gives the record of the catalog itself.</summary>
    internal void Save(Span<byte> record)
    {
        foreach (Structure structure in _open)
        {
            if (structure.IsRootChanged)
            {
                structure.Root.Write(_names.Reserve(structure.NameBytes, RootRecord.SizeInBytes).WritableSpan);
                structure.KeepRoot();
            }
        }

        _names.Root.Write(record);
    }

    /// <summary>The transaction is over: what was opened in it can no longer be used.</summary>
    internal void End()
    {
        foreach (Structure structure in _open)
        {
            structure.Detach();
        }

        _open.Clear();
        _names.Detach();
    }

    /// <summary>The root record under a name, whatever it is.</summary>
    internal bool TryGetRoot(ReadOnlySpan<byte> name, Span<byte> record)
    {
        if (_names.TryGet(name, out NativeSlice found) && found.Length == record.Length)
        {
            found.Span.CopyTo(record);
            return true;
        }

        return false;
    }

    /// <summary>Opens the tree of a name, or gives null where there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal Tree? TryOpenTree(ReadOnlySpan<byte> name) => Unsafe.As<Tree?>(TryOpen(name, StructureKind.Tree));

    /// <inheritdoc cref="TryOpenTree(ReadOnlySpan{byte})"/>
    internal Tree? TryOpenTree(string name) => TryOpenTree(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the tree of a name, and makes it where there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal Tree OpenOrCreateTree(ReadOnlySpan<byte> name) =>
        Unsafe.As<Tree>(TryOpen(name, StructureKind.Tree) ?? Create(name, RootRecord.Empty(StructureKind.Tree)));

    /// <inheritdoc cref="OpenOrCreateTree(ReadOnlySpan{byte})"/>
    internal Tree OpenOrCreateTree(string name) => OpenOrCreateTree(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the fixed tree of a name, or gives null where there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure.</exception>
    internal FixedTree? TryOpenFixedTree(ReadOnlySpan<byte> name) =>
        Unsafe.As<FixedTree?>(TryOpen(name, StructureKind.FixedTree));

    /// <inheritdoc cref="TryOpenFixedTree(ReadOnlySpan{byte})"/>
    internal FixedTree? TryOpenFixedTree(string name) =>
        TryOpenFixedTree(Utf8(name, stackalloc byte[NameSizeBytesMax]));

    /// <summary>Opens the fixed tree of a name, and makes it where there is none.</summary>
    /// <exception cref="InvalidOperationException">The name is that of another structure, or of a fixed tree with
    /// values of another size.</exception>
    internal FixedTree OpenOrCreateFixedTree(ReadOnlySpan<byte> name, int valueSizeBytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)valueSizeBytes, (uint)FixedTree.ValueSizeBytesMax);
        RootRecord root = RootRecord.Empty(StructureKind.FixedTree, valueSizeBytes);
        var tree = Unsafe.As<FixedTree>(TryOpen(name, StructureKind.FixedTree) ?? Create(name, root));
        return tree.ValueSizeBytes == valueSizeBytes
            ? tree
            : throw new InvalidOperationException($"The values of this tree have {tree.ValueSizeBytes} bytes.");
    }

    /// <inheritdoc cref="OpenOrCreateFixedTree(ReadOnlySpan{byte}, int)"/>
    internal FixedTree OpenOrCreateFixedTree(string name, int valueSizeBytes) =>
        OpenOrCreateFixedTree(Utf8(name, stackalloc byte[NameSizeBytesMax]), valueSizeBytes);

    /// <summary>Removes a structure, whatever it is, and gives its pages back.</summary>
    /// <returns>False where there is none.</returns>
    internal bool Delete(ReadOnlySpan<byte> name)
    {
        Span<byte> record = stackalloc byte[RootRecord.SizeInBytes];
        _knownBySpan.TryGetValue(name, out Structure? structure);
        bool isOpen = structure is not null && structure.Generation == _generation;
        if (!isOpen && !TryGetRoot(name, record))
        {
            return false;
        }

        structure = isOpen ? structure! : TryOpen(name, (StructureKind)record[0])!;
        structure.Clear();
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

    private static Structure New(StructureKind kind) => kind switch
    {
        StructureKind.FixedTree => new FixedTree(),
        StructureKind.Tree => new Tree(),
        _ => throw new StorageCorruptedException("data", -1, $"a root record is of the unknown kind {(int)kind}"),
    };

    private Structure? TryOpen(ReadOnlySpan<byte> name, StructureKind kind)
    {
        bool isKnown = _knownBySpan.TryGetValue(name, out Structure? structure);
        if (isKnown && structure!.Generation == _generation)
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

        structure = Know(name, isKnown && structure!.Kind == kind ? structure : New(kind));
        structure.Attach(_names.Pages, RootRecord.Read(record.Span, kind));
        return structure;
    }

    private Structure Create(ReadOnlySpan<byte> name, in RootRecord root)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(name.Length, NameSizeBytesMax, nameof(name));
        _ = _names.Writer;
        bool isKnown = _knownBySpan.TryGetValue(name, out Structure? structure);
        structure = Know(name, isKnown && structure!.Kind == root.Kind ? structure : New(root.Kind));
        structure.Attach(_names.Pages, root);
        structure.MarkNew();
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
