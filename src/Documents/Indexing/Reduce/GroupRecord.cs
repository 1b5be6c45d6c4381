namespace Raven.Documents.Indexing.Reduce;

/// <summary>The stored state of a group. Written to disk: 24 bytes, little-endian.</summary>
/// <param name="NextSlot">The slot that the next result gets.</param>
/// <param name="Count">How many results of maps are in it.</param>
/// <param name="ResultCount">How many results of its reduce are in the index.</param>
internal readonly record struct GroupRecord(long NextSlot, long Count, long ResultCount)
{
    internal const int SizeBytes = 24;
}
