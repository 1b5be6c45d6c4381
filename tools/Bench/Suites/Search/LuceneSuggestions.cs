using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// Words that few changes make of another: the walk of Lucene's dictionary by an automaton, of which the best ten are
/// kept, as Lucene's own spell checker does, whose package is not needed for it.
/// </summary>
internal static class LuceneSuggestions
{
    /// <summary>The best: the nearest, and of equally near ones the frequent.</summary>
    internal static List<string> Of(IndexReader reader, string field, string word, int edits)
    {
        PriorityQueue<string, (float Boost, int Count)> best = new();
        AttributeSource attributes = new();
        IMaxNonCompetitiveBoostAttribute least = attributes.AddAttribute<IMaxNonCompetitiveBoostAttribute>();
        var walk = new FuzzyTermsEnum(
            MultiFields.GetTerms(reader, field), attributes, new Term(field, word), edits, 0, transpositions: false);
        while (walk.MoveNext())
        {
            float near = walk.Attributes.GetAttribute<IBoostAttribute>().Boost;
            best.Enqueue(walk.Term.Utf8ToString(), (near, walk.DocFreq));
            if (best.Count > OurSearch.SuggestionsMax)
            {
                best.Dequeue();
            }

            if (best.Count == OurSearch.SuggestionsMax && best.TryPeek(out _, out (float Boost, int Count) last))
            {
                // What is farther than the last of ten is passed by.
                least.MaxNonCompetitiveBoost = last.Boost;
            }
        }

        List<string> words = new(best.Count);
        while (best.TryDequeue(out string? one, out _))
        {
            words.Add(one);
        }

        words.Reverse();
        return words;
    }
}
