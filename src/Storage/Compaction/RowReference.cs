namespace Raven.Storage.Compaction;

/// <summary>Tells that the values of a tree are the ids of rows: a copy of the rows gives them new ids.</summary>
/// <param name="tree">The name of a tree or of a fixed tree, in UTF-8.</param>
/// <param name="heap">The name of the heap whose ids it holds; empty where it holds none.</param>
public delegate void RowReference(ReadOnlySpan<byte> tree, out ReadOnlySpan<byte> heap);
