using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Search;
using Raven.Server.Queries.Rql;

namespace Raven.Server.Queries.Results;

/// <summary>
/// Why results are where they are: <c>include explanations()</c>. Each condition is asked again, of the one document
/// alone, so that its share of the score is what the engine gives for it.
/// </summary>
internal sealed class Explanations : IDisposable
{
    private readonly QuerySession _session;
    private readonly QueryWorkspace? _workspace;
    private readonly RqlTranslator? _translator;
    private readonly RqlExpression[] _leaves;
    private readonly Dictionary<string, List<string>>? _texts;

    /// <summary>The explanations of a query; none where it does not ask for them.</summary>
    internal Explanations(QuerySession session)
    {
        _session = session;
        RqlQuery rql = session.Input.Rql;
        _leaves = rql.Where is { } where && !LikeThis.IsOne(where) ? [.. RqlText.Leaves(where)] : [];
        if (rql.Include.Exists(IsOne))
        {
            _texts = [];
            if (session.Reader is not null)
            {
                _workspace = QueryWorkspace.Rent();
                _translator = session.TranslatorInto(_workspace.Query);
            }
        }
    }

    /// <summary>Whether an include asks for explanations.</summary>
    internal static bool IsOne(RqlExpression include) =>
        include is RqlCall call && call.Name.Equals("explanations", StringComparison.OrdinalIgnoreCase);

    /// <summary>Explains a result.</summary>
    internal void Collect(in QueryHit hit)
    {
        if (_texts is null || !hit.HasDocument)
        {
            return;
        }

        string id = Encoding.UTF8.GetString(hit.Document.Id.Span);
        List<string> lines = [];
        _texts[id] = lines;
        if (_translator is null)
        {
            lines.Add($"It is of '{_session.Plan.Name}': no index is asked, and there is no score.");
            return;
        }

        lines.Add(hit.Score is { } score
            ? Line(score, "the score, which is the sum of")
            : "The query asks for no scores; its conditions by themselves:");
        foreach (RqlExpression leaf in _leaves)
        {
            lines.Add(Explain(leaf, id));
        }
    }

    /// <summary>All explanations as JSON, by the ids of documents; null where none were asked for.</summary>
    internal string? ToJson() => _texts is null ? null : JsonSerializer.Serialize(_texts);

    /// <inheritdoc/>
    public void Dispose() => _workspace?.Return();

    private string Explain(RqlExpression leaf, string id)
    {
        SearchQuery query = _workspace!.Query;
        query.Clear();
        int condition = _translator!.Translate(leaf);
        int document = query.Boost(query.Equal(IndexFieldNames.Id, query.Value(IndexFieldNames.FoldId(id))), 0);
        _workspace.Searcher.Run(
            _session.Reader!, query, query.And(condition, document), new SearchRequest { Take = 1, WithScores = true });
        return _workspace.Searcher.Count == 0
            ? $"  not met: {RqlText.Of(leaf)}"
            : "  " + Line(_workspace.Searcher.Score(0), RqlText.Of(leaf));
    }

    private static string Line(float score, string text) =>
        string.Create(CultureInfo.InvariantCulture, $"{score:0.######} = {text}");
}
