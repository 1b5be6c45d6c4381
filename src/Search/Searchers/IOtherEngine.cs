using Raven.Search.Automata;
using Raven.Search.Fields;

namespace Raven.Search.Searchers;

/// <summary>A snapshot of an index of another engine than ours, which searches it by objects of its own.</summary>
internal interface IOtherEngine
{
    EntrySearcher MakeSearcher();

    EntryCounting MakeCounting();

    /// <summary>Visits the words of a field that few changes make of a word, in their order.</summary>
    /// <param name="field">The field.</param>
    /// <param name="word">The word.</param>
    /// <param name="changes">The most changes, which an automaton can count.</param>
    /// <param name="visit">Gets the term of the word, and how many entries have it.</param>
    /// <param name="cancellation">Cancels it.</param>
    void VisitNear(IndexField field, EditWord word, int changes, WordVisitor visit, CancellationToken cancellation);

    /// <summary>Visits the words of a field, in their order.</summary>
    /// <param name="field">The field.</param>
    /// <param name="visit">Gets the term of the word, and how many entries have it.</param>
    /// <param name="cancellation">Cancels it.</param>
    void VisitWords(IndexField field, WordVisitor visit, CancellationToken cancellation);
}

/// <summary>Gets a term, valid within the call, and how many entries have it, with deleted ones.</summary>
internal delegate void WordVisitor(ReadOnlySpan<byte> term, long entries);
