using System.Buffers;
using System.Globalization;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Queries.Rql;
using Raven.Search.Queries;

namespace Raven.Documents.Queries.Results;

/// <summary>
/// Explains the scores of results: <c>include explanations()</c>. Each condition is run again for the one entry alone,
/// so that its share of the score is what the engine computes for it. Documents are named by their ids, groups by a
/// field of their results that the query names: <c>include explanations($options)</c>, <c>{"GroupKey":"Name"}</c>.
/// </summary>
internal sealed class Explanations : IDisposable
{
    private readonly QuerySession _session;
    private readonly OperationContext _context;
    private readonly QueryWorkspace? _workspace;
    private readonly RqlTranslator? _translator;
    private readonly RqlExpression[] _leaves;
    private readonly Dictionary<string, List<string>>? _texts;
    private readonly string? _groupKey;

    /// <summary>Makes the explanations of a query; none if it does not ask for them.</summary>
    /// <param name="session">The query.</param>
    /// <param name="context">Memory that is reset with each result.</param>
    /// <exception cref="RqlException">The call is not valid.</exception>
    internal Explanations(QuerySession session, OperationContext context)
    {
        _session = session;
        _context = context;
        RqlQuery rql = session.Input.Rql;
        _leaves = rql.Where is { } where
            ? [.. RqlText.Leaves(where).Where(leaf => !MoreLikeThisQuery.IsOne(leaf))]
            : [];
        if (rql.Include.Find(IsOne) is RqlCall call)
        {
            _groupKey = GroupKeyOf(call);
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
        if (_texts is null)
        {
            return;
        }

        string name = NameOf(in hit);

        // Two results may have one name: entries of a document, or groups with the same value of the field.
        if (!_texts.TryGetValue(name, out List<string>? lines))
        {
            _texts[name] = lines = [];
        }

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
            lines.Add(Explain(leaf, in hit));
        }
    }

    /// <summary>All explanations, by the ids of documents or the keys of groups; null if none were
    /// asked for.</summary>
    internal Dictionary<string, List<string>>? ByName => _texts;

    /// <inheritdoc/>
    public void Dispose() => _workspace?.Return();

    /// <summary>The field that names groups; null for documents.</summary>
    private string? GroupKeyOf(RqlCall call)
    {
        if (call.Arguments.Count > 1)
        {
            throw Error(call, "expected explanations() or explanations($options)");
        }

        string? key = call.Arguments.Count == 0 ? null
            : QueryOptions.Of(_session.Translator, _session.Input.Text, call.Arguments[0]).Text("GroupKey");
        return _session.Plan.Index?.Definition.IsMapReduce != true ? null
            : key ?? throw Error(
                call,
                "results of groups are explained by a field that tells them apart: expected explanations($options) "
                + "with {\"GroupKey\":\"Name of the field\"}");
    }

    private string NameOf(in QueryHit hit)
    {
        if (hit.HasDocument)
        {
            return Encoding.UTF8.GetString(hit.Document.Id.Span);
        }

        try
        {
            return hit.TryGetData(_context, out BlittableObject group)
                && group.TryGet(Encoding.UTF8.GetBytes(_groupKey!), out BlittableValue value)
                ? value.TryGetString(out string text) ? text : JsonOf(value)
                : "null";
        }
        finally
        {
            _context.Reset();
        }
    }

    private static string JsonOf(BlittableValue value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        var json = new JsonOutput(buffer);
        json.Value(value);
        json.Flush();
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    private string Explain(RqlExpression leaf, in QueryHit hit)
    {
        SearchQuery query = _workspace!.Query;
        query.Clear();
        int condition = _translator!.Translate(leaf);
        int entry = query.Value(hit.HasDocument
            ? Encoding.UTF8.GetBytes(IndexFieldNames.FoldId(Encoding.UTF8.GetString(hit.Document.Id.Span)))
            : _session.Entries.DocumentId(hit.Result));
        int document = query.Boost(query.Equal(IndexFieldNames.Id, entry), 0);
        _workspace.Searcher.Run(
            _session.Reader!, query, query.And(condition, document),
            new SearchRequest { Take = 1, WithScores = true, Cancellation = _session.Cancellation });
        return _workspace.Searcher.Count == 0
            ? $"  not met: {RqlText.Of(leaf)}"
            : "  " + Line(_workspace.Searcher.Score(0), RqlText.Of(leaf));
    }

    private RqlException Error(RqlExpression place, string problem) =>
        new(_session.Input.Text, place.Position, problem);

    private static string Line(float score, string text) =>
        string.Create(CultureInfo.InvariantCulture, $"{score:0.######} = {text}");
}
