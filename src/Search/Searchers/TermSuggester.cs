using System.Text;
using Raven.Search.Automata;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Segments;

namespace Raven.Search.Searchers;

/// <summary>Finds words of an index that a misspelled one may have meant.</summary>
public static class TermSuggester
{
    /// <summary>A longer text is no misspelled word.</summary>
    private const int SuggestedLengthMax = 256;

    private static readonly Func<string, string, double> ByLevenshtein = WordSimilarity.Levenshtein;

    /// <summary>
    /// The words of a field that are nearest to a word, the frequent ones first among equally near ones. Walks the
    /// dictionary, and passes by the words that are too far.
    /// </summary>
    /// <param name="reader">The snapshot to search.</param>
    /// <param name="fieldName">The field.</param>
    /// <param name="word">The word, in UTF-8, in the form that the field's analyzer gives its words.</param>
    /// <param name="distanceMax">The most changes, at most 4.</param>
    /// <param name="take">The most words to return.</param>
    /// <param name="cancellation">Cancels it.</param>
    public static IReadOnlyList<TermSuggestion> Suggest(
        IndexReader reader, string fieldName, ReadOnlySpan<byte> word, int distanceMax, int take,
        CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(distanceMax, 4);
        ArgumentOutOfRangeException.ThrowIfNegative(distanceMax);
        if (reader.Catalog.Find(fieldName) is not { } field)
        {
            return [];
        }

        SuggestedTerms found = new();
        if (reader is IOtherEngine other)
        {
            AddNear(found, other, field, word.ToArray(), distanceMax, cancellation);
            return found.Best(take);
        }

        AddNear(found, ((SegmentsReader)reader).Segments, field, word, distanceMax, cancellation);
        return found.Best(take);
    }

    private static void AddNear(
        SuggestedTerms found, IOtherEngine reader, IndexField field, byte[] word, int distanceMax,
        CancellationToken cancellation)
    {
        void Visit(ReadOnlySpan<byte> term, long entries)
        {
            int distance = DistanceOf(term[1..], word, distanceMax);
            if (distance <= distanceMax)
            {
                found.Add(TextOf(field, term), distance, distance, entries);
            }
        }

        EditWord edits = new();
        if (edits.TryOpen(word))
        {
            reader.VisitNear(field, edits, distanceMax, Visit, cancellation);
        }
        else
        {
            reader.VisitWords(field, Visit, cancellation);
        }
    }

    private static void AddNear(
        SuggestedTerms found, SegmentList segments, IndexField field, ReadOnlySpan<byte> word, int distanceMax,
        CancellationToken cancellation)
    {
        EditWord edits = new();
        TermWalk<FarAutomaton, FarState>? walk = edits.TryOpen(word) ? new() : null;
        FarAutomaton automaton = new(edits, distanceMax);
        for (int i = 0; i < segments.Count; i++)
        {
            if (segments[i].TryGetField(field.Number) is not { TermCount: > 0 } values)
            {
                continue;
            }

            // The empty text is no word.
            int start = values.LowerBound([TermCode.Text, 0]);
            if (walk is null)
            {
                AddNear(found, field, values, start, word, distanceMax, cancellation);
                continue;
            }

            walk.Open(values, start, automaton, isWhole: true, cancellation);
            while (walk.MoveNext())
            {
                int distance = automaton.ChangesOf(walk.State);
                found.Add(walk.Term[1..], distance, distance, values.DocumentFrequency(walk.Ordinal));
            }
        }
    }

    /// <summary>
    /// The words of a field that are similar enough to a word, the most similar first and among equals the frequent
    /// ones. Reads every word of the field, but by Levenshtein those alone that few changes make of the word.
    /// </summary>
    /// <param name="reader">The snapshot to search.</param>
    /// <param name="fieldName">The field.</param>
    /// <param name="word">The word, in the form that the field's analyzer gives its words.</param>
    /// <param name="likeness">How similar two words are, from 0 to 1.</param>
    /// <param name="least">How similar they must be.</param>
    /// <param name="take">The most words to return.</param>
    /// <param name="cancellation">Cancels it.</param>
    public static IReadOnlyList<TermSuggestion> Suggest(
        IndexReader reader, string fieldName, string word, Func<string, string, double> likeness, double least,
        int take, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(word);
        ArgumentNullException.ThrowIfNull(likeness);
        if (reader.Catalog.Find(fieldName) is not { } field)
        {
            return [];
        }

        SuggestedTerms found = new();
        if (reader is IOtherEngine other)
        {
            AddLike(found, other, field, word, likeness, least, cancellation);
            return found.Best(take);
        }

        AddLike(found, ((SegmentsReader)reader).Segments, field, word, likeness, least, cancellation);
        return found.Best(take);
    }

    private static void AddLike(
        SuggestedTerms found, IOtherEngine reader, IndexField field, string word,
        Func<string, string, double> likeness, double least, CancellationToken cancellation)
    {
        void Visit(ReadOnlySpan<byte> term, long entries) =>
            AddLike(found, field, term, entries, word, likeness, least);

        EditWord edits = new();
        int changes = likeness == ByLevenshtein ? ChangesMax(word, least) : int.MaxValue;
        if (changes <= FarAutomaton.ChangesMax && edits.TryOpen(Encoding.UTF8.GetBytes(word)))
        {
            reader.VisitNear(field, edits, changes, Visit, cancellation);
        }
        else
        {
            reader.VisitWords(field, Visit, cancellation);
        }
    }

    private static void AddLike(
        SuggestedTerms found, SegmentList segments, IndexField field, string word,
        Func<string, string, double> likeness, double least, CancellationToken cancellation)
    {
        EditWord edits = new();
        int changes = likeness == ByLevenshtein ? ChangesMax(word, least) : int.MaxValue;
        TermWalk<FarAutomaton, FarState>? walk =
            changes <= FarAutomaton.ChangesMax && edits.TryOpen(Encoding.UTF8.GetBytes(word)) ? new() : null;
        TermCursor cursor = new();
        for (int i = 0; i < segments.Count; i++)
        {
            if (segments[i].TryGetField(field.Number) is not { TermCount: > 0 } values)
            {
                continue;
            }

            int ordinal = values.LowerBound([TermCode.Text, 0]);
            if (walk is not null)
            {
                walk.Open(values, ordinal, new FarAutomaton(edits, changes), isWhole: true, cancellation);
                while (walk.MoveNext())
                {
                    AddLike(
                        found, field, walk.Term, values.DocumentFrequency(walk.Ordinal), word, likeness, least);
                }

                continue;
            }

            cursor.Open(values);
            int end = values.LowerBound([TermCode.Text + 1]);
            for (; ordinal < end; ordinal++)
            {
                TermCancellation.Step(ordinal, cancellation);
                cursor.Seek(ordinal);
                AddLike(found, field, cursor.Term, values.DocumentFrequency(ordinal), word, likeness, least);
            }
        }
    }

    /// <summary>
    /// The most changes that a likeness allows: of the longer word no more than the share that need not be alike, where
    /// each change may have made the other word longer by one.
    /// </summary>
    private static int ChangesMax(string word, double least)
    {
        // The measure counts UTF-16 units; of a word without surrogates no other one is nearer by code points.
        double changes = least <= 0 ? int.MaxValue : (word.Length * (1 - least) / least) + 1e-6;
        return changes > FarAutomaton.ChangesMax + 1 || word.AsSpan().ContainsAnyInRange('\uD800', '\uDFFF')
            ? int.MaxValue
            : Math.Max(0, (int)changes);
    }

    private static void AddLike(
        SuggestedTerms found, IndexField field, ReadOnlySpan<byte> term, long entries, string word,
        Func<string, string, double> likeness, double least)
    {
        ReadOnlySpan<byte> text = TextOf(field, term);
        string other = Encoding.UTF8.GetString(text);
        double how = other.Length > SuggestedLengthMax ? 0 : likeness(other, word);
        if (how >= least && how > 0)
        {
            found.Add(text, -how, other == word ? 0 : 1, entries);
        }
    }

    /// <summary>Looks at each word: for one that is too long for an automaton.</summary>
    private static void AddNear(
        SuggestedTerms found, IndexField field, FieldReader values, int ordinal, ReadOnlySpan<byte> word,
        int distanceMax, CancellationToken cancellation)
    {
        TermCursor cursor = new();
        cursor.Open(values);
        int end = values.LowerBound([TermCode.Text + 1]);
        for (; ordinal < end; ordinal++)
        {
            TermCancellation.Step(ordinal, cancellation);
            cursor.Seek(ordinal);
            int distance = DistanceOf(cursor.Term[1..], word, distanceMax);
            if (distance <= distanceMax)
            {
                found.Add(TextOf(field, cursor.Term), distance, distance, values.DocumentFrequency(ordinal));
            }
        }
    }

    /// <summary>The text of a term, of a cut one as far as it is kept.</summary>
    private static ReadOnlySpan<byte> TextOf(IndexField field, ReadOnlySpan<byte> term) =>
        field.KeepsWholeTexts || !TermCode.IsCut(term) ? term[1..] : term.Slice(1, TermCode.CutTextSizeBytes);

    private static int DistanceOf(ReadOnlySpan<byte> term, ReadOnlySpan<byte> word, int distanceMax)
    {
        if (!TermPatterns.IsNear(term, word, distanceMax))
        {
            return int.MaxValue;
        }

        int distance = distanceMax;
        while (distance > 0 && TermPatterns.IsNear(term, word, distance - 1))
        {
            distance--;
        }

        return distance;
    }
}
