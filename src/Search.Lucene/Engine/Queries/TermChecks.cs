using System.Text;
using System.Text.RegularExpressions;
using System.Text.Unicode;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Raven.Search.Automata;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Queries;
using Raven.Search.Segments;

namespace Raven.Search.Lucene.Engine.Queries;

/// <summary>Whether a term matches the pattern of a condition.</summary>
internal static class TermChecks
{
    /// <summary>The longest word that Lucene makes an automaton of: its size grows with the word.</summary>
    private const int FuzzyBytesMax = 256;

    /// <summary>The check of a condition.</summary>
    /// <param name="node">The condition.</param>
    /// <param name="text">Its text.</param>
    /// <param name="cancellation">Cancels a long comparison.</param>
    internal static TermCheck Of(in QueryNode node, byte[] text, CancellationToken cancellation)
    {
        object? pattern = node.Pattern;
        int literal = TermPatterns.LiteralLength(text);
        float number = node.Number;
        return node.Kind switch
        {
            QueryNodeKind.Prefix => _ => true,
            QueryNodeKind.Suffix => term => term[1..].EndsWith(text),
            QueryNodeKind.Wildcard =>
                term => TermPatterns.IsLike(term[(1 + literal)..], text.AsSpan(literal), cancellation),
            QueryNodeKind.Regex when pattern is RegexProgram program =>
                term => IsMatch(new RegexAutomaton(program), term[1..]),
            QueryNodeKind.Regex => term => TermPatterns.IsMatch(term[1..], (Regex)pattern!),
            _ when node.Flag => term => TermPatterns.IsSimilar(term[1..], text, number),
            _ => term => TermPatterns.IsNear(term[1..], text, (int)number),
        };
    }

    /// <summary>
    /// The entries of a pattern by a walk with an automaton, as <see cref="PatternWalks"/> finds them in our own
    /// segments; null if there is none of the pattern.
    /// </summary>
    internal static Filter? WalkOf(
        in QueryNode node, string field, byte[] from, byte[] text, SearchCounts counts,
        CancellationToken cancellation)
    {
        switch (node.Kind)
        {
            case QueryNodeKind.Regex when node.Pattern is RegexProgram program:
                return new WalkedTermsFilter<RegexAutomaton, int>(
                    field, from, new RegexAutomaton(program), counts, cancellation);
            case QueryNodeKind.Wildcard:
                WildcardPattern pattern = new();
                return pattern.TryOpen(text)
                    ? new WalkedTermsFilter<WildcardAutomaton, ulong>(
                        field, from, new WildcardAutomaton(pattern), counts, cancellation)
                    : null;
            case QueryNodeKind.Fuzzy:
                EditWord word = new();
                if (!word.TryOpen(text))
                {
                    return null;
                }

                int changes = node.Flag
                    ? Math.Max(0, TermPatterns.ChangesOf(node.Number, word.Length))
                    : (int)node.Number;
                return changes > FarAutomaton.ChangesMax
                    ? null
                    : new WalkedTermsFilter<FarAutomaton, FarState>(
                        field, from, new FarAutomaton(word, changes), counts, cancellation)
                    {
                        Check = node.Flag ? Of(node, text, cancellation) : null,
                    };
            default:
                return null;
        }
    }

    /// <summary>
    /// Lucene's own query for words that few changes make of a word; null if it is another condition. Its automaton
    /// reads characters of UTF-8, of which the kind of a term is the first.
    /// </summary>
    internal static FuzzyQuery? FuzzyOf(in QueryNode node, IndexField field, byte[] text)
    {
        if (node.Flag || node.Number is not (1 or 2) || text.Length > FuzzyBytesMax || !Utf8.IsValid(text))
        {
            return null;
        }

        // Lucene leaves out words that have no more characters than changes.
        string word = Encoding.UTF8.GetString(text);
        return word.EnumerateRunes().Count() <= 2 * node.Number
            ? null
            : new FuzzyQuery(
                new Term(LuceneNames.Of(field), (char)TermCode.Text + word), (int)node.Number, prefixLength: 1,
                maxExpansions: int.MaxValue, transpositions: false)
            {
                MultiTermRewriteMethod = MultiTermQuery.CONSTANT_SCORE_FILTER_REWRITE,
            };
    }

    private static bool IsMatch(RegexAutomaton automaton, ReadOnlySpan<byte> text)
    {
        int state = automaton.Start;
        while (!text.IsEmpty && !automaton.AcceptsAll(state))
        {
            Rune.DecodeFromUtf8(text, out Rune character, out int length);
            if (!automaton.TryStep(state, character.Value, out state))
            {
                return false;
            }

            text = text[length..];
        }

        return automaton.AcceptsAll(state) || automaton.Accepts(state);
    }
}
