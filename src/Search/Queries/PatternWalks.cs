using Raven.Search.Automata;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// Finds the entries whose terms match a pattern, by a walk through the dictionary with an automaton that seeks past
/// the terms that cannot match. The automata are made when they are first needed, and reused.
/// </summary>
internal sealed class PatternWalks
{
    private EditWord? _word;
    private WildcardPattern? _pattern;
    private TermWalk<NearAutomaton, NearState>? _near;
    private TermWalk<FarAutomaton, FarState>? _far;
    private TermWalk<WildcardAutomaton, ulong>? _wildcard;
    private TermWalk<RegexAutomaton, int>? _regex;

    /// <summary>Adds the entries of a pattern.</summary>
    /// <param name="node">The condition.</param>
    /// <param name="field">Its field.</param>
    /// <param name="values">The field in the segment.</param>
    /// <param name="text">The text of the condition; none of a regular expression.</param>
    /// <param name="ordinal">The first term that may match.</param>
    /// <param name="found">Receives the entries.</param>
    /// <param name="cancellation">Cancels it.</param>
    /// <returns>False if there is no automaton of the pattern: nothing was added.</returns>
    /// <exception cref="SearchIndexException">A term that decides was cut when it was written.</exception>
    internal bool TryAdd(
        in QueryNode node, IndexField field, FieldReader values, ReadOnlySpan<byte> text, int ordinal, SetMatcher found,
        CancellationToken cancellation)
    {
        switch (node.Kind)
        {
            case QueryNodeKind.Regex when node.Pattern is RegexProgram program:
                _regex ??= new();
                _regex.Open(values, ordinal, new RegexAutomaton(program), field.KeepsWholeTexts, cancellation);
                Add(_regex, field, values, found);
                return true;
            case QueryNodeKind.Wildcard when (_pattern ??= new()).TryOpen(text):
                _wildcard ??= new();
                _wildcard.Open(values, ordinal, new WildcardAutomaton(_pattern), field.KeepsWholeTexts, cancellation);
                Add(_wildcard, field, values, found);
                return true;
            case QueryNodeKind.Fuzzy when (_word ??= new()).TryOpen(text):
                int changes = node.Flag
                    ? Math.Max(0, TermPatterns.ChangesOf(node.Number, _word.Length))
                    : (int)node.Number;
                float similarity = node.Flag ? node.Number : float.NaN;
                return TryAddFuzzy(changes, similarity, field, values, text, ordinal, found, cancellation);
            default:
                return false;
        }
    }

    /// <summary>
    /// If a similarity is asked for, a text that is shorter than the word may have fewer changes: those that are
    /// accepted are compared.
    /// </summary>
    private bool TryAddFuzzy(
        int changes, float similarity, IndexField field, FieldReader values, ReadOnlySpan<byte> text, int ordinal,
        SetMatcher found, CancellationToken cancellation)
    {
        if (changes <= NearAutomaton.ChangesMax)
        {
            _near ??= new();
            _near.Open(values, ordinal, new NearAutomaton(_word!, changes), field.KeepsWholeTexts, cancellation);
            Add(_near, field, values, found, text, similarity);
            return true;
        }

        if (changes <= FarAutomaton.ChangesMax)
        {
            _far ??= new();
            _far.Open(values, ordinal, new FarAutomaton(_word!, changes), field.KeepsWholeTexts, cancellation);
            Add(_far, field, values, found, text, similarity);
            return true;
        }

        return false;
    }

    private static void Add<TAutomaton, TState>(
        TermWalk<TAutomaton, TState> walk, IndexField field, FieldReader values, SetMatcher found,
        ReadOnlySpan<byte> text = default, float similarity = float.NaN)
        where TAutomaton : struct, ITermAutomaton<TState>
        where TState : unmanaged
    {
        while (walk.MoveNext())
        {
            PatternMatching.RequireWhole(field, walk.Term);
            if (float.IsNaN(similarity) || TermPatterns.IsSimilar(walk.Term[1..], text, similarity))
            {
                found.AddTerm(values, walk.Ordinal);
            }
        }
    }
}
