using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009) with k1 = 1.2 and b = 0.75, as Lucene
/// computes it: one term's part in the score of an entry.
/// </summary>
internal sealed class TermScorer
{
    private const float K1 = 1.2f;
    private const float B = 0.75f;

    private readonly float[] _lengthParts = new float[256];
    private double _averageLength = -1;

    /// <summary>The highest score of an entry.</summary>
    internal float Weight { get; private set; }

    /// <summary>Sets the figures of the index.</summary>
    /// <param name="boost">The factor of the score.</param>
    /// <param name="entryCount">Entries of the index.</param>
    /// <param name="documentFrequency">Entries with the term.</param>
    /// <param name="averageLength">How many words a text of the field has on average.</param>
    internal void Open(float boost, long entryCount, long documentFrequency, double averageLength)
    {
        double idf = Math.Log(1 + ((entryCount - documentFrequency + 0.5) / (documentFrequency + 0.5)));
        Weight = (float)(boost * idf * (K1 + 1));
        if (_averageLength == averageLength)
        {
            return;
        }

        _averageLength = averageLength;
        for (int code = 0; code < 256; code++)
        {
            double share = averageLength > 0 ? NormCode.Lengths[code] / averageLength : 1;
            _lengthParts[code] = (float)(K1 * (1 - B + (B * share)));
        }
    }

    /// <summary>The highest score of an entry of a block.</summary>
    /// <param name="frequency">The greatest frequency of the block; 255 is 255 or more.</param>
    /// <param name="lengthCode">The least length code of the block.</param>
    internal float BoundOf(int frequency, byte lengthCode) =>
        Weight < 0 ? float.PositiveInfinity : frequency == 255 ? Weight : Score(frequency, lengthCode);

    internal float Score(float frequency, byte lengthCode) =>
        Weight * (frequency / (frequency + _lengthParts[lengthCode]));
}
