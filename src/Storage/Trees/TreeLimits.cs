using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>The bounds of what a tree can hold.</summary>
public static class TreeLimits
{
    /// <summary>
    /// The longest key. Four of these, with their slots and child numbers, fill a branch page, so that a branch always
    /// has at least five children.
    /// </summary>
    public const int KeySizeBytesMax = 2000;

    /// <summary>
    /// The longest value, 534,765,536 bytes: its run lies within one part of the free-space map. A stream (in chunks)
    /// has no such limit.
    /// </summary>
    public const int ValueSizeBytesMax =
        (FreeSpace.RunPagesMax * PageHeader.PageSizeInBytes) - PageHeader.SizeInBytes;

    /// <summary>Levels a tree can have; reaching it means damage, as five children a branch make 5^24 leaves.</summary>
    internal const int DepthMax = 24;
}
