using System.Text;
using Lucene.Net.Analysis.Standard;
using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Search.Similarities;
using Lucene.Net.Store;
using Lucene.Net.Util;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// Lucene.Net from its package: mapped files, BM25, the analyzer that ours is like, and ids as values of documents,
/// which is its fastest way to them.
/// </summary>
internal sealed class LuceneSearch : IDisposable
{
    internal const string Name = "Lucene.Net 4.8";

    /// <summary>Begins the names of rows whose side of ours is an index of the engine Lucene.</summary>
    internal const string BehindOurs = "Lucene behind our indexer, ";

    private const string Id = "Id";
    private const string Keyword = "Keyword";
    private const string Number = "Number";
    private const string Text = "Text";
    private const int Take = 10;
    private const LuceneVersion Version = LuceneVersion.LUCENE_48;

    private static readonly Sort ByNumber = new(new SortField(Number, SortFieldType.INT64));

    private readonly MMapDirectory _directory;
    private readonly ClassicAnalyzer _analyzer = new(Version);
    private readonly IndexWriter _writer;
    private readonly BytesRef _id = new();
    private DirectoryReader? _reader;
    private IndexSearcher? _searcher;
    private Query? _query;
    private QueryOrder _order;
    private AskedQuery? _suggested;

    internal LuceneSearch(string folder)
    {
        _directory = new MMapDirectory(new DirectoryInfo(folder));

        // All of its work is on the thread that is measured.
        _writer = new IndexWriter(_directory, new IndexWriterConfig(Version, _analyzer)
        {
            Similarity = new BM25Similarity(),
            MergeScheduler = new SerialMergeScheduler(),
            RAMBufferSizeMB = 64,
        });
    }

    /// <summary>How many documents there are, committed.</summary>
    internal int Count => _writer.NumDocs;

    internal void Fill(SearchDocuments documents, bool isText)
    {
        for (int i = 0; i < documents.Count; i++)
        {
            _writer.AddDocument(DocumentOf(documents, i, isText));
        }

        _writer.Commit();
    }

    /// <summary>One segment, as ours is merged.</summary>
    internal void MergeAll()
    {
        _writer.ForceMerge(1);
        _writer.Commit();
        Refresh();
    }

    /// <summary>Replaces documents by themselves, until a reader sees it.</summary>
    internal void Replace(SearchDocuments documents, int first, int count)
    {
        for (int i = first; i < first + count; i++)
        {
            _writer.UpdateDocument(
                new Term(Id, Encoding.UTF8.GetString(documents.Ids[i])), DocumentOf(documents, i, isText: true));
        }

        Refresh();
    }

    /// <summary>Translates a query, which is not measured.</summary>
    internal void Prepare(AskedQuery asked, QueryOrder order)
    {
        _suggested = asked.Kind == AskedKind.Suggestions ? asked : null;
        if (_suggested is not null)
        {
            return;
        }

        Query query = Translate(asked);
        _query = order == QueryOrder.Score ? query : new ConstantScoreQuery(query);
        _order = order;
    }

    /// <summary>Finds the ten results of the prepared query and reads their ids.</summary>
    /// <returns>How many there are in all.</returns>
    internal long Run()
    {
        if (_suggested is { } misspelled)
        {
            return LuceneSuggestions.Of(_reader!, Text, misspelled.First, misspelled.Edits).Count;
        }

        TopDocs found = _order == QueryOrder.Number
            ? _searcher!.Search(_query!, null, Take, ByNumber)
            : _searcher!.Search(_query!, Take);
        BinaryDocValues ids = ((AtomicReader)_reader!.Leaves[0].Reader).GetBinaryDocValues(Id);
        foreach (ScoreDoc hit in found.ScoreDocs)
        {
            ids.Get(hit.Doc, _id);
        }

        return found.TotalHits;
    }

    public void Dispose()
    {
        _reader?.Dispose();
        _writer.Dispose();
        _analyzer.Dispose();
        _directory.Dispose();
    }

    private static Document DocumentOf(SearchDocuments documents, int i, bool isText)
    {
        string id = Encoding.UTF8.GetString(documents.Ids[i]);
        var document = new Document
        {
            new StringField(Id, id, Field.Store.NO),
            new BinaryDocValuesField(Id, new BytesRef(documents.Ids[i])),
        };
        foreach (byte[] keyword in documents.Keywords[i])
        {
            document.Add(new StringField(Keyword, Encoding.UTF8.GetString(keyword), Field.Store.NO));
        }

        if (documents.Numbers[i] is { } number)
        {
            document.Add(new Int64Field(Number, number, Field.Store.NO));
            document.Add(new NumericDocValuesField(Number, number));
        }

        byte[] words = documents.Texts[i];
        if (words.Length > 0)
        {
            string text = Encoding.UTF8.GetString(words);
            document.Add(isText
                ? new TextField(Text, text, Field.Store.NO)
                : new StringField(Text, text, Field.Store.NO));
        }

        return document;
    }

    private static Query Translate(AskedQuery asked) => asked.Kind switch
    {
        AskedKind.Id => new TermQuery(new Term(Id, asked.First)),
        AskedKind.Word => Word(asked.First),
        AskedKind.And => Both(Occur.MUST, Word(asked.First), Word(asked.Second)),
        AskedKind.Or => Both(Occur.SHOULD, Word(asked.First), Word(asked.Second)),
        AskedKind.Keyword => new TermQuery(new Term(Keyword, asked.First)),
        AskedKind.Years => Years(asked),
        AskedKind.KeywordInYears => Both(Occur.MUST, new TermQuery(new Term(Keyword, asked.First)), Years(asked)),
        AskedKind.Prefix => new PrefixQuery(new Term(Text, asked.First)),
        AskedKind.Wildcard => new WildcardQuery(new Term(Text, asked.First)),
        AskedKind.Phrase => new PhraseQuery { new Term(Text, asked.First), new Term(Text, asked.Second) },
        AskedKind.Fuzzy => new FuzzyQuery(
            new Term(Text, asked.First), asked.Edits, 0, BooleanQuery.MaxClauseCount, transpositions: false),
        AskedKind.Regex => new RegexpQuery(new Term(Text, asked.First)),
        _ => throw new ArgumentOutOfRangeException(nameof(asked)),
    };

    private static TermQuery Word(string word) => new(new Term(Text, word));

    private static NumericRangeQuery<long> Years(AskedQuery asked) =>
        NumericRangeQuery.NewInt64Range(Number, asked.Low, asked.High, true, true);

    private static BooleanQuery Both(Occur occur, Query first, Query second) =>
        new() { { first, occur }, { second, occur } };

    private void Refresh()
    {
        if (_reader is null)
        {
            _reader = DirectoryReader.Open(_writer, true);
        }
        else if (DirectoryReader.OpenIfChanged(_reader, _writer, true) is { } newer)
        {
            _reader.Dispose();
            _reader = newer;
        }

        _searcher = new IndexSearcher(_reader) { Similarity = new BM25Similarity() };
    }
}
