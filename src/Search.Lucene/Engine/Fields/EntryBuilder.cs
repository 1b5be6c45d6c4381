using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Lucene.Engine.Fields;

/// <summary>Collects the fields of one entry, and makes a document of Lucene of them.</summary>
#pragma warning disable CA1001 // The stream holds nothing that is to be given back.
internal sealed class EntryBuilder
#pragma warning restore CA1001
{
    /// <summary>A gap between two values of a field: a phrase does not match across them.</summary>
    private const int Gap = 100;

    private readonly TokenBuffer _tokens = new();
    private readonly TermStream _stream = new();
    private readonly Dictionary<IndexField, EntryTerms> _fields = [];
    private readonly HashSet<string> _durations = new(StringComparer.Ordinal);
    private byte[] _term = new byte[TermCode.SizeBytesMax];
    private byte[]? _stored;

    /// <summary>About how much memory the entry takes.</summary>
    internal int SizeInBytes { get; private set; }

    internal void Clear()
    {
        _fields.Clear();
        _durations.Clear();
        _stored = null;
        SizeInBytes = 0;
        TermCode.Trim(ref _term);
    }

    internal void Store(ReadOnlySpan<byte> bytes)
    {
        _stored = bytes.ToArray();
        SizeInBytes += bytes.Length;
    }

    /// <summary>Adds a value that is no text.</summary>
    internal void AddTerm(IndexField field, ReadOnlySpan<byte> term)
    {
        EntryTerms terms = TermsOf(field);
        if (field.Kind == FieldKind.Exact)
        {
            terms.Add(LuceneNames.Check(field, term), 0);
        }
        else
        {
            terms.AddFirst(LuceneNames.Check(field, term));
        }

        SizeInBytes += term.Length;
        if (LuceneNames.IsDuration(term))
        {
            _durations.Add(field.Name);
        }
    }

    /// <summary>Adds a text, in the way that the field defines.</summary>
    internal void AddText(IndexField field, ReadOnlySpan<byte> text)
    {
        EntryTerms terms = TermsOf(field);
        _tokens.Clear();
        if (field.Kind == FieldKind.Exact)
        {
            field.Analyzer.Analyze(text, _tokens, 0);
            foreach (ref readonly Token token in _tokens.Tokens)
            {
                Add(field, terms, _tokens.Term(token), 0);
            }

            return;
        }

        int start = terms.NextPosition == 0 ? 0 : terms.NextPosition + Gap;
        terms.NextPosition = Math.Max(1, field.Analyzer.Analyze(text, _tokens, start));
        terms.WordCount += _tokens.Count;
        if (_tokens.Count == 0)
        {
            // A text without words is a value of the field too: only an empty text equals the empty text.
            terms.Add([text.IsEmpty ? TermCode.Text : TermCode.Wordless], start);
        }

        foreach (ref readonly Token token in _tokens.Tokens)
        {
            Add(field, terms, _tokens.Term(token), token.Position);
        }
    }

    /// <summary>Makes the document.</summary>
    /// <param name="id">The term of the id of our document.</param>
    internal List<IIndexableField> ToDocument(ReadOnlySpan<byte> id)
    {
        EntryTerms ids = new();
        ids.Add(id, 0);
        BytesRef bytes = ids.BytesOf(ids[0]);
        List<IIndexableField> document =
        [
            new TermsField(LuceneNames.Id, isOfWords: false, ids, _stream),
            new SortedDocValuesField(LuceneNames.Id, bytes),
            new BinaryDocValuesField(LuceneNames.IdBytes, bytes),
        ];
        foreach ((IndexField field, EntryTerms terms) in _fields)
        {
            string name = LuceneNames.Of(field);
            bool isOfWords = field.Kind == FieldKind.FullText;
            document.Add(new TermsField(name, isOfWords, terms, _stream));
            if (isOfWords)
            {
                document.Add(new NumericDocValuesField(LuceneNames.LengthsOf(field), terms.WordCount));
                continue;
            }

            for (int i = 0; i < terms.Count; i++)
            {
                document.Add(new SortedSetDocValuesField(name, terms.BytesOf(terms[i])));
            }
        }

        foreach (string field in _durations)
        {
            document.Add(new StringField(LuceneNames.Durations, field, Field.Store.NO));
        }

        if (_stored is not null)
        {
            document.Add(new BinaryDocValuesField(LuceneNames.Stored, new BytesRef(_stored)));
        }

        return document;
    }

    private void Add(IndexField field, EntryTerms terms, ReadOnlySpan<byte> text, int position)
    {
        ReadOnlySpan<byte> term = TermCode.WriteText(ref _term, text, field.KeepsWholeTexts);
        terms.Add(LuceneNames.Check(field, term), position);
        SizeInBytes += term.Length + 12;
    }

    private EntryTerms TermsOf(IndexField field)
    {
        if (!_fields.TryGetValue(field, out EntryTerms? terms))
        {
            _fields[field] = terms = new EntryTerms();
        }

        return terms;
    }
}
