using System.Text.RegularExpressions;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// Finds the entries whose terms match a pattern, by the dictionary: by a walk with an automaton, or if the pattern has
/// none, by looking at each term that has its literal beginning.
/// </summary>
internal sealed class PatternMatching
{
    private readonly TermCursor _cursor = new();
    private readonly PatternWalks _walks = new();
    private byte[] _bound = new byte[TermCode.SizeBytesMax];

    /// <summary>Visits the terms that may match the pattern, which start with its literal beginning.</summary>
    /// <param name="node">The condition.</param>
    /// <param name="field">Its field.</param>
    /// <param name="values">The field in the segment.</param>
    /// <param name="text">The text of the condition; none of a regular expression.</param>
    /// <param name="found">Receives the entries.</param>
    /// <param name="cancellation">Cancels it.</param>
    /// <exception cref="SearchIndexException">A term that must be compared was cut when it was written.</exception>
    internal void Add(
        in QueryNode node, IndexField field, FieldReader values, ReadOnlySpan<byte> text, SetMatcher found,
        CancellationToken cancellation)
    {
        int literal = node.Kind switch
        {
            QueryNodeKind.Prefix => text.Length,
            QueryNodeKind.Wildcard => TermPatterns.LiteralLength(text),
            _ => 0,
        };
        int known = field.KeepsWholeTexts ? literal : Math.Min(literal, TermCode.CutTextSizeBytes);
        TermCode.Trim(ref _bound);
        ReadOnlySpan<byte> bound = TermCode.WriteText(ref _bound, text[..known], field.KeepsWholeTexts);
        int ordinal = values.LowerBound(bound);
        if (values.HasWords)
        {
            // The empty text is a value, and no word.
            ordinal = Math.Max(ordinal, values.LowerBound([TermCode.Text, 0]));
        }

        bool isPrefix = node.Kind == QueryNodeKind.Prefix
            || (node.Kind == QueryNodeKind.Wildcard && text[literal..].SequenceEqual("*"u8));
        if (isPrefix && literal == known)
        {
            AddRun(values, ordinal, EndOf(values, bound.Length), found, cancellation);
            return;
        }

        if (_walks.TryAdd(node, field, values, text, ordinal, found, cancellation))
        {
            return;
        }

        _cursor.Open(values);
        if (ordinal < values.TermCount)
        {
            _cursor.Seek(ordinal);
        }

        for (; ordinal < values.TermCount && _cursor.Term.StartsWith(bound); ordinal++)
        {
            TermCancellation.Step(ordinal, cancellation);
            if (node.Kind != QueryNodeKind.Prefix || literal > known)
            {
                RequireWhole(field, _cursor.Term);
            }

            ReadOnlySpan<byte> term = _cursor.Term[1..];
            bool isLike = node.Kind switch
            {
                QueryNodeKind.Prefix => true,
                QueryNodeKind.Suffix => term.EndsWith(text),
                QueryNodeKind.Wildcard => TermPatterns.IsLike(term[literal..], text[literal..], cancellation),
                QueryNodeKind.Regex => TermPatterns.IsMatch(term, (Regex)node.Pattern!),
                _ when node.Flag => TermPatterns.IsSimilar(term, text, node.Number),
                _ => TermPatterns.IsNear(term, text, (int)node.Number),
            };
            if (isLike)
            {
                found.AddTerm(values, ordinal);
            }

            _cursor.MoveNext();
        }
    }

    /// <summary>
    /// Terms of one beginning are neighbours, and so are their records and their postings: the run is read from one end
    /// to the other without reading its terms.
    /// </summary>
    private static void AddRun(
        FieldReader values, int from, int to, SetMatcher found, CancellationToken cancellation)
    {
        for (int ordinal = from; ordinal < to; ordinal++)
        {
            TermCancellation.Step(ordinal, cancellation);
            found.AddTerm(values, ordinal);
        }
    }

    /// <summary>
    /// The ordinal behind the terms that begin with the bound: that of the bound with its last byte one greater, which
    /// in UTF-8 is never 255.
    /// </summary>
    private int EndOf(FieldReader values, int length)
    {
        _bound[length - 1]++;
        return values.LowerBound(_bound.AsSpan(0, length));
    }

    /// <summary>Refuses a term of which the index keeps the beginning alone: it decides nothing.</summary>
    /// <exception cref="SearchIndexException">It was cut when it was written.</exception>
    internal static void RequireWhole(IndexField field, ReadOnlySpan<byte> term)
    {
        if (!field.KeepsWholeTexts && TermCode.IsCut(term))
        {
            ThrowIsCut(field);
        }
    }

    private static void ThrowIsCut(IndexField field) => throw new SearchIndexException(
        $"An older version made the index, and kept of texts of more than {TermCode.CutTextSizeBytes:N0} bytes in "
        + $"'{field.Name}' the beginning alone, which does not decide this condition. Reset the index: it keeps them "
        + "whole then.");
}
