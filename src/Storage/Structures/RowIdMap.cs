namespace Raven.Storage.Structures;

/// <summary>
/// The tree that exists while the rows of a heap or a table are copied: their new ids by the old ones.
/// </summary>
internal static class RowIdMap
{
    private static ReadOnlySpan<byte> Prefix => "\0ids of "u8;

    /// <summary>The name of the tree.</summary>
    /// <param name="heap">The name of the heap or the table.</param>
    internal static byte[] NameOf(ReadOnlySpan<byte> heap) => [.. Prefix, .. heap];
}
