using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Auto;
using Raven.Documents.Queries.Rql;
using Raven.Search.Fields;
using Raven.Search.Searchers;

namespace Raven.Documents.Queries.Results;

/// <summary>Fragments of texts in which a query found its words: <c>include highlight(Text, 100, 2)</c>.</summary>
internal sealed class Highlights
{
    private readonly List<Wanted> _wanted = [];
    private readonly List<BlittableValue> _values = [];
    private readonly QuerySession _session;
    private readonly OperationContext _context;

    /// <summary>Makes the highlights of a query.</summary>
    /// <param name="session">The query.</param>
    /// <param name="context">Memory that is reset with each result.</param>
    internal Highlights(QuerySession session, OperationContext context)
    {
        _session = session;
        _context = context;
        foreach (RqlExpression include in session.Input.Rql.Include)
        {
            if (include is RqlCall call && call.Name.Equals("highlight", StringComparison.OrdinalIgnoreCase))
            {
                _wanted.Add(WantedOf(call));
            }
        }
    }

    /// <summary>Finds the fragments of a result.</summary>
    internal void Collect(in QueryHit hit)
    {
        if (!hit.HasDocument || _session.Root < 0)
        {
            return;
        }

        string id = Encoding.UTF8.GetString(hit.Document.Id.Span);
        foreach (Wanted one in _wanted)
        {
            if (_session.Fields.FirstOrDefault(field => field.Name == one.IndexField) is not { } searched)
            {
                continue;
            }

            _values.Clear();
            one.Path.Collect(hit.Document.Data.AsValue(), _values);
            List<string> pieces = [];
            foreach (BlittableValue value in _values)
            {
                AddPieces(pieces, one, searched, value);
            }

            if (pieces.Count > 0)
            {
                one.Found[id] = pieces;
            }

            _context.Reset();
        }
    }

    /// <summary>Adds the fragments of a text, or of the texts of an array, which an index searches too.</summary>
    private void AddPieces(List<string> pieces, Wanted wanted, IndexField searched, BlittableValue value)
    {
        if (value.Kind == Blittable.Format.ValueKind.String && pieces.Count < wanted.Count)
        {
            pieces.AddRange(wanted.Highlighter.Highlight(
                _session.Workspace.Query, _session.Root, searched, value.GetUtf8(_context.Arena).Span,
                wanted.Length, wanted.Count - pieces.Count));
        }
        else if (value.TryGetArray(out BlittableArray items))
        {
            for (int i = 0; i < items.Count; i++)
            {
                AddPieces(pieces, wanted, searched, items[i]);
            }
        }
    }

    /// <summary>The fragments of all results, by field and id; null if none are wanted.</summary>
    internal Dictionary<string, Dictionary<string, List<string>>>? ByField() => _wanted.Count == 0
        ? null
        : _wanted.GroupBy(one => one.Name).ToDictionary(group => group.Key, group => group.First().Found);

    private Wanted WantedOf(RqlCall call)
    {
        if (call.Arguments.Count is not (3 or 4))
        {
            throw new RqlException(
                _session.Input.Text, call.Position,
                "expected highlight(field, length, count) or highlight(field, length, count, options)");
        }

        string path = IndexFieldNames.PathOf(call.Arguments[0], _session.Input.Rql)
            ?? throw new RqlException(_session.Input.Text, call.Position, "expected a field to highlight");
        string before = "<b style=\"background:yellow\">";
        string after = "</b>";
        if (call.Arguments.Count == 4)
        {
            QueryOptions options = QueryOptions.Of(_session.Translator, _session.Input.Text, call.Arguments[3]);
            before = options.Texts("PreTags").FirstOrDefault() ?? before;
            after = options.Texts("PostTags").FirstOrDefault() ?? after;
        }

        return new Wanted(
            path,
            _session.Translator.WordsOf(call.Arguments[0]),
            new FieldPath(path),
            NumberOf(call, 1),
            NumberOf(call, 2),
            new TextHighlighter { Before = before, After = after });
    }

    private int NumberOf(RqlCall call, int index) => _session.Translator.Evaluate(call.Arguments[index]) is long number
        ? (int)Math.Clamp(number, 1, 100_000)
        : throw new RqlException(_session.Input.Text, call.Arguments[index].Position, "expected a whole number");

    private sealed record Wanted(
        string Name, string IndexField, FieldPath Path, int Length, int Count, TextHighlighter Highlighter)
    {
        internal Dictionary<string, List<string>> Found { get; } = [];
    }
}
