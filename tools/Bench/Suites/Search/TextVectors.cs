using System.IO.Hashing;
using System.Text;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// Vectors of texts: each term of a text weighs as often as it is there, and less the more texts have it; its hash says
/// the signs by which it is projected. More vectors than texts are the same with noise.
/// </summary>
internal sealed class TextVectors
{
    internal const int Dimensions = 384;

    /// <summary>The length of the noise beside that of a vector, which is 1.</summary>
    private const float Noise = 0.5f;

    private readonly float[][] _vectors;

    internal TextVectors(IReadOnlyList<byte[]> texts)
    {
        Dictionary<ulong, int>[] terms = [.. texts.Select(TermsOf).Where(one => one.Count > 0)];
        Dictionary<ulong, int> having = [];
        foreach (ulong term in terms.SelectMany(one => one.Keys))
        {
            having[term] = having.GetValueOrDefault(term) + 1;
        }

        _vectors = [.. terms.Select(one => VectorOf(one, having, terms.Length))];
    }

    /// <summary>Writes one of many vectors; other seeds give others.</summary>
    internal void Draw(int number, int seed, Span<float> vector)
    {
        Random random = new(unchecked((number * 31) + seed));
        float[] text = _vectors[seed == 0 ? number % _vectors.Length : random.Next(_vectors.Length)];
        float amplitude = Noise * MathF.Sqrt(3f / Dimensions);
        for (int i = 0; i < Dimensions; i++)
        {
            vector[i] = text[i] + (amplitude * ((2 * random.NextSingle()) - 1));
        }
    }

    private static Dictionary<ulong, int> TermsOf(byte[] text)
    {
        Dictionary<ulong, int> terms = [];
        foreach (string word in Encoding.UTF8.GetString(text).ToUpperInvariant().Split(
            [' ', '\n', '\t', ',', '.', ';', ':', '(', ')', '"', '!', '?'], StringSplitOptions.RemoveEmptyEntries))
        {
            ulong term = XxHash3.HashToUInt64(Encoding.UTF8.GetBytes(word));
            terms[term] = terms.GetValueOrDefault(term) + 1;
        }

        return terms;
    }

    private static float[] VectorOf(Dictionary<ulong, int> terms, Dictionary<ulong, int> having, int texts)
    {
        float[] vector = new float[Dimensions];
        foreach ((ulong term, int count) in terms)
        {
            float weight = (1 + MathF.Log(count)) * MathF.Log((float)texts / having[term]);
            ulong bits = term;
            for (int i = 0; i < Dimensions; i++)
            {
                // SplitMix64: 64 signs from each of its numbers.
                if (i % 64 == 0)
                {
                    bits = term + ((((ulong)i / 64) + 1) * 0x9E3779B97F4A7C15);
                    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
                    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
                    bits ^= bits >> 31;
                }

                vector[i] += ((bits >> (i % 64)) & 1) != 0 ? weight : -weight;
            }
        }

        float length = MathF.Sqrt(vector.Sum(one => one * one));
        for (int i = 0; i < Dimensions && length > 0; i++)
        {
            vector[i] /= length;
        }

        return vector;
    }
}
