using System.Text.RegularExpressions;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>Finds the entries whose terms are like a pattern; looks at the dictionary.</summary>
internal sealed class PatternMatching
{
    private readonly TermCursor _cursor = new();
    private byte[] _bound = new byte[TermCode.SizeBytesMax];

    /// <summary>Goes through the terms that can be like the pattern, which start as it does.</summary>
    /// <param name="node">The condition.</param>
    /// <param name="field">Its field.</param>
    /// <param name="values">The field in the segment.</param>
    /// <param name="text">The text of the condition; none of a regular expression.</param>
    /// <param name="found">Gets the entries.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="SearchIndexException">A term that decides was cut when it was written.</exception>
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
        _cursor.Open(values);
        if (ordinal < values.TermCount)
        {
            _cursor.Seek(ordinal);
        }

        for (; ordinal < values.TermCount && _cursor.Term.StartsWith(bound); ordinal++)
        {
            TermWatch.Step(ordinal, cancellation);
            if (!field.KeepsWholeTexts && TermCode.IsCut(_cursor.Term)
                && (node.Kind != QueryNodeKind.Prefix || literal > known))
            {
                ThrowIsCut(field);
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

    /// <summary>A bound of a range as it is.</summary>
    /// <exception cref="SearchIndexException">It is cut, so that it bounds nothing.</exception>
    internal static ReadOnlySpan<byte> BoundOf(IndexField field, ReadOnlySpan<byte> term)
    {
        if (!field.KeepsWholeTexts && TermCode.IsCut(term))
        {
            ThrowIsCut(field);
        }

        return term;
    }

    private static void ThrowIsCut(IndexField field) => throw new SearchIndexException(
        $"An older version made the index, and kept of texts of more than {TermCode.CutTextSizeBytes:N0} bytes in "
        + $"'{field.Name}' the beginning alone, which does not decide this condition. Reset the index: it keeps them "
        + "whole then.");
}
