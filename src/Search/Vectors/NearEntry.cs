namespace Raven.Search.Vectors;

/// <summary>An entry and how near its nearest vector is.</summary>
internal struct NearEntry
{
    internal int Segment;
    internal int Entry;
    internal float Similarity;

    /// <summary>Whether it goes behind another one: less similar, or of two that are as similar the later.</summary>
    internal readonly bool IsBehind(in NearEntry other) => Similarity != other.Similarity
        ? Similarity < other.Similarity
        : Segment != other.Segment ? Segment > other.Segment : Entry > other.Entry;
}
