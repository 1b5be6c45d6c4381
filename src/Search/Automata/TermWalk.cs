using Raven.Search.Segments;

namespace Raven.Search.Automata;

/// <summary>The walk through the dictionary of a field of a segment. Reused for the next field.</summary>
internal sealed class TermWalk<TAutomaton, TState> : AutomatonWalk<TAutomaton, TState, SegmentTerms>
    where TAutomaton : struct, ITermAutomaton<TState>
    where TState : unmanaged
{
    private readonly TermCursor _cursor = new();

    /// <summary>The number of the term that was found.</summary>
    internal int Ordinal => _cursor.Ordinal;

    /// <summary>Begins at a term.</summary>
    /// <param name="field">The field.</param>
    /// <param name="ordinal">The first term to look at.</param>
    /// <param name="automaton">What accepts texts.</param>
    /// <param name="isWhole">Whether texts of any length are kept whole.</param>
    /// <param name="cancellation">Cancels it.</param>
    internal void Open(
        FieldReader field, int ordinal, TAutomaton automaton, bool isWhole, CancellationToken cancellation)
    {
        _cursor.Open(field);
        bool isAny = ordinal < field.TermCount;
        if (isAny)
        {
            _cursor.Seek(ordinal);
        }

        Open(new SegmentTerms(_cursor), isAny, automaton, isWhole, cancellation);
    }
}
