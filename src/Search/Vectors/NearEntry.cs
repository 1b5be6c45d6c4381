namespace Raven.Search.Vectors;

/// <summary>An entry and the similarity of its nearest vector.</summary>
internal struct NearEntry
{
    internal int Segment;
    internal int Entry;
    internal float Similarity;

    /// <summary>
    /// Whether it goes behind another one: less similar, or the later of two that are equally similar.
    /// </summary>
    internal readonly bool IsBehind(in NearEntry other) => Similarity != other.Similarity
        ? Similarity < other.Similarity
        : Segment != other.Segment ? Segment > other.Segment : Entry > other.Entry;
}
