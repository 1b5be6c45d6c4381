using System.Text;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Storage;

/// <summary>
/// Finds the sizes of what an environment holds, one structure at a time, so that each may be read in a snapshot of its
/// own. The fill of a tree with keys of any length is known only from its pages, all of which are read.
/// </summary>
public static class StructureSizes
{
    /// <summary>Adds the sizes of a structure and its parts to a list.</summary>
    /// <param name="reader">The snapshot.</param>
    /// <param name="name">The name that was read last, in UTF-8, empty at first; the name of what was added.</param>
    /// <param name="readsPages">False if the root records are enough: trees then have no fill.</param>
    /// <param name="sizes">Receives the sizes: none unless all of them were read.</param>
    /// <param name="cancellation">Stops it between two pages.</param>
    /// <returns>False if no structure comes behind that name.</returns>
    /// <exception cref="SnapshotExpiredException">It took longer than a reader may.</exception>
    /// <exception cref="StorageCorruptedException">A page is damaged.</exception>
    public static bool TryAddNext(
        ReadTransaction reader,
        ref byte[] name,
        bool readsPages,
        ICollection<StructureSize> sizes,
        CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(sizes);
        TreeCursor cursor = reader.Catalog.Names.GetCursor();
        bool found = cursor.Seek(name) && (!cursor.Key.SequenceEqual(name) || cursor.MoveNext());
        if (!found)
        {
            return false;
        }

        byte[] next = cursor.Key.ToArray();
        string text = Encoding.UTF8.GetString(next);
        ReadOnlySpan<byte> records = cursor.Value.Span;
        var read = new StructureSize[records.Length / StructureRoot.SizeInBytes];
        for (int part = 0; part < read.Length; part++)
        {
            ReadOnlySpan<byte> record = records.Slice(part * StructureRoot.SizeInBytes, StructureRoot.SizeInBytes);
            StructureRoot root = StructureRoot.Read(record, (StructureKind)record[0]);
            read[part] = new StructureSize
            {
                Name = text,
                Part = part,
                Kind = root.Kind,
                Count = root.Count,
                Depth = root.Depth,
                LeafPages = root.LeafPages,
                BranchPages = root.BranchPages,
                OverflowPages = root.OverflowPages,
                Fill = FillOf(reader, root, readsPages, cancellation),
            };
        }

        foreach (StructureSize size in read)
        {
            sizes.Add(size);
        }

        name = next;
        return true;
    }

    private static double? FillOf(
        ReadTransaction reader, in StructureRoot root, bool readsPages, CancellationToken cancellation)
    {
        long pages = root.LeafPages + root.BranchPages;
        switch (root.Kind)
        {
            case StructureKind.Tree when pages != 0 && readsPages:
                long used = UsedBytes(reader, root.RootPage, root.Depth - 1, cancellation);
                return (double)used / (pages * TreePage.Capacity);
            case StructureKind.FixedTree when pages != 0:
                // A branch has an entry less than children, and each page but the root is a child of another.
                double leaves = (double)root.Count / FixedPage.LeafCapacity(root.ValueSize);
                double branches = (double)(root.LeafPages - 1) / FixedPage.BranchCapacity;
                return (leaves + branches) / pages;
            case StructureKind.RowHeap when pages + root.OverflowPages != 0:
                return (double)root.PayloadBytes / ((pages + root.OverflowPages) * PageHeader.PageSizeInBytes);
            default:
                return null;
        }
    }

    private static long UsedBytes(
        ReadTransaction reader, long number, int levelsBelow, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        PageKind kind = levelsBelow == 0 ? PageKind.TreeLeaf : PageKind.TreeBranch;
        TreePage page = TreePage.Open(reader.GetPage(number), number, kind);
        long used = page.Used;
        for (int child = 0; levelsBelow > 0 && child <= page.Count; child++)
        {
            used += UsedBytes(reader, page.Child(child), levelsBelow - 1, cancellation);
        }

        return used;
    }
}
