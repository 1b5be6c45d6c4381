namespace Raven.Storage.Compaction;

/// <summary>Says that the values of a tree are row ids, which a copy of the rows replaces by new ones.</summary>
/// <param name="tree">The name of a tree or of a fixed tree, in UTF-8.</param>
/// <param name="heap">The name of the heap whose ids it holds; empty if it holds none.</param>
public delegate void RowReference(ReadOnlySpan<byte> tree, out ReadOnlySpan<byte> heap);
