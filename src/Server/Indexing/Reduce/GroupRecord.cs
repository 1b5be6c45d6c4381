namespace Raven.Server.Indexing.Reduce;

/// <summary>What is kept of a group. Written to disk: 24 bytes, little-endian.</summary>
/// <param name="NextSlot">The slot that the next result gets.</param>
/// <param name="Count">Results of maps that are in it.</param>
/// <param name="ResultCount">Results of its reduce that were given to the index.</param>
internal readonly record struct GroupRecord(long NextSlot, long Count, long ResultCount)
{
    internal const int SizeBytes = 24;
}
