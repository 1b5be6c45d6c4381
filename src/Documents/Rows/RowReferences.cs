namespace Raven.Documents.Rows;

/// <summary>
/// Which trees of a database hold the ids of rows, which follows from their names: <c>X.By...</c> holds those of the
/// heap <c>X</c>, a collection's trees those of documents and tombstones, and no other tree holds any.
/// </summary>
internal static class RowReferences
{
    /// <summary>The heap whose row ids are the values of a tree; empty if they are no row ids.</summary>
    internal static void Find(ReadOnlySpan<byte> tree, out ReadOnlySpan<byte> heap)
    {
        if (tree.StartsWith("Collection."u8))
        {
            heap = tree.EndsWith(".Documents"u8) ? DocumentSchema.Documents : DocumentSchema.Tombstones;
            return;
        }

        int by = tree.IndexOf(".By"u8);
        heap = by > 0 ? tree[..by] : default;
    }
}
