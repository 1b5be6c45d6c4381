using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Structures;

namespace Raven.Storage.Trees;

/// <summary>
/// What an environment holds under a name. It belongs to one transaction and one thread; the transaction's
/// <see cref="Catalog"/> binds it to pages and keeps its root records: its own, followed by those of its parts.
/// </summary>
public abstract class Structure
{
    private readonly Structure[] _parts;
    private IPageReader? _pages;
    private IPageWriter? _writer;
    private StructureRoot _root;
    private StructureRoot _kept;

    private protected Structure(params Structure[] parts)
    {
        _parts = parts;
        RecordSize = StructureRoot.SizeInBytes;
        foreach (Structure part in parts)
        {
            RecordSize += part.RecordSize;
        }
    }

    /// <summary>Which structure it is.</summary>
    public abstract StructureKind Kind { get; }

    /// <summary>The name by which it was opened; empty if it is a part of another structure.</summary>
    public string Name => Encoding.UTF8.GetString(NameBytes);

    internal byte[] NameBytes { get; set; } = [];

    /// <summary>The number of the transaction, as the catalog counts, in which it was last opened.</summary>
    internal long Generation { get; set; }

    /// <summary>Bytes of all root records.</summary>
    internal int RecordSize { get; }

    /// <summary>Its own root record; the catalog writes it if it changed.</summary>
    internal ref StructureRoot Root => ref _root;

    internal IPageReader Pages => _pages ?? ThrowNoTransaction();

    internal IPageWriter Writer => _writer ?? ThrowReadOnly();

    /// <summary>True if a root record differs from what was read.</summary>
    internal bool IsChanged
    {
        get
        {
            bool isChanged = !AsBytes(in _root).SequenceEqual(AsBytes(in _kept));
            foreach (Structure part in _parts)
            {
                isChanged |= part.IsChanged;
            }

            return isChanged;
        }
    }

    /// <summary>Binds it to a transaction and the root records that <see cref="WriteRoots"/> wrote.</summary>
    /// <exception cref="StorageCorruptedException">They cannot be root records of this structure.</exception>
    internal void Attach(IPageReader pages, ReadOnlySpan<byte> records)
    {
        if (records.Length != RecordSize)
        {
            throw Damage.Of($"the root records of a {Kind} have a wrong length");
        }

        Bind(pages, StructureRoot.Read(records[..StructureRoot.SizeInBytes], Kind));
        records = records[StructureRoot.SizeInBytes..];
        foreach (Structure part in _parts)
        {
            part.Attach(pages, records[..part.RecordSize]);
            records = records[part.RecordSize..];
        }

        OnAttached();
    }

    /// <summary>Binds a structure without parts to a transaction and a root record.</summary>
    internal void Attach(IPageReader pages, in StructureRoot root)
    {
        Bind(pages, root);
        OnAttached();
    }

    /// <summary>Binds a new structure, without entries, to a transaction.</summary>
    internal void AttachNew(IPageReader pages)
    {
        Bind(pages, NewRoot());
        _kept = default;
        foreach (Structure part in _parts)
        {
            part.AttachNew(pages);
        }

        OnAttached();
    }

    internal void WriteRoots(Span<byte> records)
    {
        _root.Write(records);
        _kept = _root;
        records = records[StructureRoot.SizeInBytes..];
        foreach (Structure part in _parts)
        {
            part.WriteRoots(records);
            records = records[part.RecordSize..];
        }
    }

    /// <summary>Ends its use in a transaction.</summary>
    internal void Detach()
    {
        _pages = null;
        _writer = null;
        foreach (Structure part in _parts)
        {
            part.Detach();
        }

        OnAttached();
    }

    /// <summary>Frees all pages.</summary>
    internal virtual void Clear()
    {
        foreach (Structure part in _parts)
        {
            part.Clear();
        }

        _root = NewRoot();
        OnAttached();
    }

    /// <summary>The root record of a structure without entries.</summary>
    private protected virtual StructureRoot NewRoot() => StructureRoot.Empty(Kind);

    /// <summary>Forgets what was remembered of pages in an earlier transaction.</summary>
    private protected virtual void OnAttached()
    {
    }

    private static ReadOnlySpan<byte> AsBytes(in StructureRoot root) =>
        MemoryMarshal.AsBytes(new ReadOnlySpan<StructureRoot>(in root));

    [DoesNotReturn]
    private static IPageReader ThrowNoTransaction() =>
        throw new InvalidOperationException("The transaction of this structure is over.");

    private void Bind(IPageReader pages, in StructureRoot root)
    {
        _pages = pages;
        _writer = pages as IPageWriter;
        _root = root;
        _kept = root;
    }

    [DoesNotReturn]
    private IPageWriter ThrowReadOnly() => throw new InvalidOperationException(
        _pages is null ? "The transaction of this structure is over." : "This transaction only reads.");
}
