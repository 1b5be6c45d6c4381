using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Streams;
using Raven.Storage.Structures;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Storage.Transactions;

/// <summary>
/// One consistent view of an environment, from its begin to its <see cref="Dispose"/>. Used by one thread at a time.
/// The object is reused by later transactions: do not touch it after Dispose.
/// </summary>
public abstract class Transaction : IPageReader, IDisposable
{
    private readonly Catalog _catalog = new();

    private protected Transaction(StorageEnvironment environment) => Environment = environment;

    /// <summary>The transaction whose state this one sees (a reader) or makes (a writer).</summary>
    public abstract long Id { get; }

    /// <summary>The environment it belongs to.</summary>
    public StorageEnvironment Environment { get; }

    /// <summary>The structures by name.</summary>
    internal Catalog Catalog => _catalog;

    /// <summary>Pages at and above this number have never been used.</summary>
    internal abstract long NextPageNumber { get; }

    /// <summary>The structures' 64 bytes, as of this state.</summary>
    internal abstract ReadOnlySpan<byte> CatalogRecord { get; }

    /// <summary>Ends the transaction. What a writer did not commit is undone.</summary>
    public abstract void Dispose();

    /// <summary>Opens the tree of a name, or gives null if there is none.</summary>
    public Tree? TryOpenTree(string name) => _catalog.TryOpenTree(name);

    /// <summary>Opens the tree of a name, in UTF-8, or gives null if there is none.</summary>
    public Tree? TryOpenTree(ReadOnlySpan<byte> name) => _catalog.TryOpenTree(name);

    /// <summary>Opens the tree with 8-byte keys of a name, in UTF-8, or gives null if there is none.</summary>
    public FixedTree? TryOpenFixedTree(ReadOnlySpan<byte> name) => _catalog.TryOpenFixedTree(name);

    /// <summary>Opens the heap of a name, in UTF-8, or gives null if there is none.</summary>
    public RowHeap? TryOpenRowHeap(ReadOnlySpan<byte> name) => _catalog.TryOpenRowHeap(name);

    /// <summary>Opens the multi-value tree of a name, in UTF-8, or gives null if there is none.</summary>
    public MultiTree? TryOpenMultiTree(ReadOnlySpan<byte> name) => _catalog.TryOpenMultiTree(name);

    /// <summary>Opens the streams of a name, in UTF-8, or gives null if there are none.</summary>
    public StreamStore? TryOpenStreams(ReadOnlySpan<byte> name) => _catalog.TryOpenStreams(name);

    /// <summary>Opens the table of a name, in UTF-8, or gives null if there is none.</summary>
    public Table? TryOpenTable(ReadOnlySpan<byte> name, TableSchema schema) => _catalog.TryOpenTable(name, schema);

    NativeSlice IPageReader.GetPage(long pageNumber) => GetPage(pageNumber);

    internal abstract NativeSlice GetPage(long pageNumber);

    private protected void ThrowNoSuchPage(long pageNumber) => throw new StorageCorruptedException(
        DataFile.Name,
        pageNumber * PageHeader.PageSizeInBytes,
        $"a structure refers to page {pageNumber}, but only those below {NextPageNumber} exist.");
}
