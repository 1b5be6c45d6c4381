using System.Text;
using Raven.Search;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>Asks our index.</summary>
internal sealed class OurSearch
{
    internal const int SuggestionsMax = 10;

    private readonly SearchIndex _index;
    private readonly SearchQuery _query = new();
    private readonly IndexSearcher _searcher = new();
    private readonly SearchRequest[] _requests = [new(), new(), new()];
    private int _root;
    private SearchRequest _request;
    private byte[]? _misspelled;
    private int _edits;

    internal OurSearch(SearchIndex index)
    {
        _index = index;
        _request = _requests[0];
        _requests[(int)QueryOrder.Score].Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
        _requests[(int)QueryOrder.Number].Orders.Add(
            new OrderKey(OrderKind.Number, MovieIndex.Number, false, true, 0));
    }

    /// <summary>Translates a query, which is not measured.</summary>
    internal void Prepare(AskedQuery asked, QueryOrder order)
    {
        _misspelled = asked.Kind == AskedKind.Suggestions ? Encoding.UTF8.GetBytes(asked.First) : null;
        _edits = asked.Edits;
        if (_misspelled is not null)
        {
            return;
        }

        _query.Clear();
        _root = Root(asked);
        _request = _requests[(int)order];
    }

    /// <summary>Finds the ten results of the prepared query and reads their ids.</summary>
    /// <returns>How many there are in all.</returns>
    internal long Run()
    {
        using IndexReader reader = _index.BeginRead();
        if (_misspelled is not null)
        {
            return TermSuggester.Suggest(reader, MovieIndex.Text, _misspelled, _edits, SuggestionsMax).Count;
        }

        _searcher.Run(reader, _query, _root, _request);
        for (int i = 0; i < _searcher.Count; i++)
        {
            _ = _searcher.DocumentId(i);
        }

        return _searcher.TotalCount;
    }

    private int Root(AskedQuery asked) => asked.Kind switch
    {
        AskedKind.Id => _query.Equal("id()", _query.Value(Encoding.UTF8.GetBytes(asked.First))),
        AskedKind.Word => Word(asked.First),
        AskedKind.And => _query.And(Word(asked.First), Word(asked.Second)),
        AskedKind.Or => _query.Or(Word(asked.First), Word(asked.Second)),
        AskedKind.Keyword => Keyword(asked.First),
        AskedKind.Years => Years(asked),
        AskedKind.KeywordInYears => _query.And(Keyword(asked.First), Years(asked)),
        AskedKind.Prefix => _query.StartsWith(MovieIndex.Text, _query.Value(asked.First)),
        AskedKind.Wildcard => _query.Wildcard(MovieIndex.Text, _query.Value(asked.First)),
        AskedKind.Phrase => _query.Phrase(MovieIndex.Text, _query.Value($"{asked.First} {asked.Second}"), 0),
        AskedKind.Fuzzy => _query.Fuzzy(MovieIndex.Text, _query.Value(asked.First), asked.Edits),
        AskedKind.Regex => _query.Regex(MovieIndex.Text, $"^{asked.First}$"),
        _ => throw new ArgumentOutOfRangeException(nameof(asked)),
    };

    private int Word(string word) => _query.Search(MovieIndex.Text, _query.Value(word), isAll: true);

    private int Keyword(string keyword) =>
        _query.Equal(MovieIndex.Keyword, _query.Value(Encoding.UTF8.GetBytes(keyword)));

    private int Years(AskedQuery asked) =>
        _query.Range(MovieIndex.Number, _query.Value(asked.Low), true, _query.Value(asked.High), true);
}
