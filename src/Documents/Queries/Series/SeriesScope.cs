using System.Text;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Auto;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Sweeps;

namespace Raven.Documents.Queries.Series;

/// <summary>
/// The names that a query of a time series sees: documents, by the alias of the query, by what it loads and by
/// parameters of its declaration, and values. One row.
/// </summary>
internal sealed class SeriesScope(QuerySession session)
{
    private readonly Dictionary<string, object?> _names = new(StringComparer.Ordinal);
    private readonly List<BlittableValue> _values = [];

    /// <summary>The query.</summary>
    internal QuerySession Session => session;

    /// <summary>The document whose series is meant where none is named; null if there is none.</summary>
    internal StoredDocument? Main { get; private set; }

    /// <summary>Forgets the row.</summary>
    internal void Clear()
    {
        _names.Clear();
        Main = null;
    }

    /// <summary>Gives a value, or a document, a name.</summary>
    internal void Add(string name, object? value)
    {
        _names[name] = value;
        if (value is StoredDocument document && Main is null)
        {
            Main = document;
        }
    }

    /// <summary>The document whose series is meant where none is named.</summary>
    internal void SetMain(StoredDocument document) => Main = document;

    /// <summary>Which series is meant: its document and its name; false if its document is not there.</summary>
    /// <exception cref="RqlException">The name is none.</exception>
    internal bool TryFindSeries(RqlExpression series, out StoredDocument document, out string name)
    {
        document = Main ?? default;
        bool isThere = Main is not null;
        switch (series)
        {
            case RqlLiteral { Value: string text }:
                name = text;
                break;
            case RqlParameter parameter:
                name = session.Translator.Evaluate(parameter) as string
                    ?? throw Error(parameter, "expected the name of a time series in the parameter");
                break;
            default:
                string path = ((RqlField)series).Path;
                int dot = path.IndexOf('.', StringComparison.Ordinal);
                name = path;
                if (dot < 0 && _names.TryGetValue(path, out object? given))
                {
                    name = given as string ?? throw Error(series, $"expected the name of a time series in '{path}'");
                }
                else if (dot > 0 && _names.TryGetValue(path[..dot], out object? named))
                {
                    isThere = named is StoredDocument;
                    document = isThere ? (StoredDocument)named! : default;
                    name = path[(dot + 1)..];
                }

                break;
        }

        return isThere;
    }

    /// <summary>The value of an expression: a text, number, boolean, null or document.</summary>
    /// <exception cref="RqlException">It has none.</exception>
    internal object? ValueOf(RqlExpression expression)
    {
        if (expression is not RqlField field)
        {
            return session.Translator.Evaluate(expression);
        }

        if (_names.TryGetValue(field.Path, out object? value))
        {
            return value;
        }

        int dot = field.Path.IndexOf('.', StringComparison.Ordinal);
        if (dot < 0 || !_names.TryGetValue(field.Path[..dot], out object? named))
        {
            throw Error(
                field, $"'{field.Path}' is not known here: expected a value, a parameter, or a field of a document "
                + "behind its alias");
        }

        return named is StoredDocument document ? FieldOf(document, field.Path[(dot + 1)..]) : null;
    }

    /// <summary>The first value at a path of a document.</summary>
    internal object? FieldOf(StoredDocument document, string path)
    {
        if (path == IndexFieldNames.Id)
        {
            return Encoding.UTF8.GetString(document.Id.Span);
        }

        _values.Clear();
        new FieldPath(path).Collect(document.Data.AsValue(), _values);
        return _values.Count == 0 ? null : QueryInput.ToValue(_values[0]);
    }

    /// <summary>A time, in ms since 0001-01-01; null if it is null.</summary>
    /// <exception cref="RqlException">It is no time.</exception>
    internal long? TimeOf(RqlExpression expression) => ValueOf(expression) switch
    {
        null => null,
        string text when DocumentTime.TryRead(text, out long ticks) => Rows.Series.SeriesTime.OfTicks(ticks),
        _ => throw Error(expression, "expected a time, as '2026-01-31T10:00:00Z'"),
    };

    /// <summary>A number.</summary>
    /// <exception cref="RqlException">It is none.</exception>
    internal double NumberOf(RqlExpression expression, string what) => ValueOf(expression) switch
    {
        long whole => whole,
        double number => number,
        _ => throw Error(expression, $"expected a number {what}"),
    };

    internal RqlException Error(RqlExpression place, string problem) =>
        new(session.Input.Text, place.Position, problem);

    internal RqlException Error(int position, string problem) => new(session.Input.Text, position, problem);
}
