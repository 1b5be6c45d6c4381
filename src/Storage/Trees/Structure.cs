using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Storage.Transactions;

namespace Raven.Storage.Trees;

/// <summary>
/// What an environment holds under a name. It belongs to one transaction and one thread; the transaction's
/// <see cref="Catalog"/> binds it to pages and keeps its root record.
/// </summary>
public abstract class Structure
{
    private IPageReader? _pages;
    private IPageWriter? _writer;
    private RootRecord _root;
    private RootRecord _kept;

    private protected Structure()
    {
    }

    /// <summary>What it is.</summary>
    public abstract StructureKind Kind { get; }

    /// <summary>The name it was opened by; empty for one that is part of another.</summary>
    public string Name => Encoding.UTF8.GetString(NameBytes);

    internal byte[] NameBytes { get; set; } = [];

    /// <summary>The transaction, as the catalog counts, that it was last opened in.</summary>
    internal long Generation { get; set; }

    /// <summary>The root record; the catalog writes it where it changed.</summary>
    internal ref RootRecord Root => ref _root;

    internal bool IsRootChanged =>
        !MemoryMarshal.AsBytes(new ReadOnlySpan<RootRecord>(in _root))
            .SequenceEqual(MemoryMarshal.AsBytes(new ReadOnlySpan<RootRecord>(in _kept)));

    internal IPageReader Pages => _pages ?? ThrowNoTransaction();

    internal IPageWriter Writer => _writer ?? ThrowReadOnly();

    /// <summary>Binds it to a transaction and a root.</summary>
    internal void Attach(IPageReader pages, in RootRecord root)
    {
        _pages = pages;
        _writer = pages as IPageWriter;
        _root = root;
        _kept = root;
        OnAttached();
    }

    /// <summary>The root record was written.</summary>
    internal void KeepRoot() => _kept = _root;

    /// <summary>It is new: its root record is to be written although it did not change.</summary>
    internal void MarkNew() => _kept = default;

    /// <summary>The transaction is over.</summary>
    internal void Detach()
    {
        _pages = null;
        _writer = null;
        OnAttached();
    }

    /// <summary>Gives all pages back.</summary>
    internal abstract void Clear();

    /// <summary>Whatever was remembered of the pages is void.</summary>
    private protected abstract void OnAttached();

    [DoesNotReturn]
    private static IPageReader ThrowNoTransaction() =>
        throw new InvalidOperationException("The transaction of this structure is over.");

    [DoesNotReturn]
    private IPageWriter ThrowReadOnly() => throw new InvalidOperationException(
        _pages is null ? "The transaction of this structure is over." : "This transaction only reads.");
}
