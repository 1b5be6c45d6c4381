using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Lucene.Engine.Fields;

//   A field F of an index is in Lucene
//     of exact values      a field "f F" with the terms, and sorted-set doc values "f F" with the same terms
//     of full text         a field "f F" with the terms and their positions, and numeric doc values "l F": the number
//                          of words
//   and each entry has
//     the id of its document   a field "id", sorted doc values "id", and binary doc values "id bytes", which are read
//                              several times as fast as a term by its ordinal; older segments do not have them
//     what is stored with it   binary doc values "stored", if there is anything
//     lengths of time          a term F of the field "durations" if F has one
//   Terms are those of docs/formats/index.md, so that their order in bytes is the order of values.

/// <summary>The names of what Lucene keeps of an entry.</summary>
internal static class LuceneNames
{
    /// <summary>The field of document ids.</summary>
    internal const string Id = "id";

    /// <summary>The ids as they are read for an answer.</summary>
    internal const string IdBytes = "id bytes";

    /// <summary>What is stored with entries.</summary>
    internal const string Stored = "stored";

    /// <summary>The fields of an entry that have lengths of time.</summary>
    internal const string Durations = "durations";

    /// <summary>The longest term that Lucene keeps.</summary>
    internal const int TermBytesMax = 32766;

    /// <summary>The key of the number of the commit whose content Lucene's files are.</summary>
    internal static ReadOnlySpan<byte> CommitKey => "lucene commit"u8;

    /// <summary>The terms of a field.</summary>
    internal static string Of(IndexField field) => field.Number == IndexNames.IdField ? Id : "f " + field.Name;

    /// <summary>The lengths of the texts of a field.</summary>
    internal static string LengthsOf(IndexField field) => "l " + field.Name;

    /// <exception cref="SearchIndexException">The term is too long for Lucene.</exception>
    internal static ReadOnlySpan<byte> Check(IndexField field, ReadOnlySpan<byte> term) => term.Length <= TermBytesMax
        ? term
        : throw new SearchIndexException(
            $"The field '{field.Name}' has a value of {term.Length - 1:N0} bytes. Lucene keeps values and words of up "
            + $"to {TermBytesMax - 1:N0}: index it with the engine Corax, as full text, or not at all.");

    /// <summary>Vectors are kept by our own engine alone.</summary>
    internal static SearchIndexException NoVectors(string field) => new(
        $"The field '{field}' has vectors, which indexes of the engine Corax have; this one is of the engine Lucene.");

    /// <summary>Whether a term is the length of time of a text.</summary>
    internal static bool IsDuration(ReadOnlySpan<byte> term) => DurationCode.IsOne(term);
}
