using Lucene.Net.Analysis;
using Lucene.Net.Documents;
using Lucene.Net.Index;

namespace Raven.Search.Lucene.Engine.Fields;

/// <summary>The terms of one field of an entry, as Lucene indexes them.</summary>
internal sealed class TermsField : Field
{
    private static readonly FieldType Values = TypeOf(IndexOptions.DOCS_ONLY);
    private static readonly FieldType Words = TypeOf(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);

    private readonly EntryTerms _terms;
    private readonly TermStream _stream;

    internal TermsField(string name, bool isOfWords, EntryTerms terms, TermStream stream)
        : base(name, stream, isOfWords ? Words : Values)
    {
        _terms = terms;
        _stream = stream;
    }

    /// <inheritdoc/>
    public override TokenStream GetTokenStream(Analyzer analyzer)
    {
        _stream.Begin(_terms);
        return _stream;
    }

    /// <summary>Lengths of texts are kept as values of their own: see <see cref="LuceneNames"/>.</summary>
    private static FieldType TypeOf(IndexOptions options) => new FieldType
    {
        IsIndexed = true,
        IsTokenized = true,
        OmitNorms = true,
        IndexOptions = options,
    }.Freeze();
}
