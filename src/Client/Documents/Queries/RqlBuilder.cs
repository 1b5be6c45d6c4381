using System.Globalization;
using System.Text;

namespace Raven.Client.Documents.Queries;

/// <summary>The parts of a query, and their text. Every value is a parameter: no text of a caller becomes
/// RQL.</summary>
internal sealed class RqlBuilder
{
    private readonly StringBuilder _where = new();
    private readonly List<string> _orders = [];
    private readonly List<string> _includes = [];

    internal Dictionary<string, object?> Parameters { get; } = [];

    /// <summary>The collection or, with <see cref="IsIndex"/>, the index; null for all documents.</summary>
    internal string? Source { get; set; }

    internal bool IsIndex { get; set; }

    internal string? Alias { get; set; }

    internal string? GroupBy { get; set; }

    internal string? Select { get; set; }

    internal bool IsDistinct { get; set; }

    internal int? Skip { get; set; }

    internal int? Take { get; set; }

    internal bool HasWhere => _where.Length > 0;

    /// <summary>The name of a new parameter, with its dollar.</summary>
    internal string Parameter(object? value)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"p{Parameters.Count}");
        Parameters[name] = value;
        return "$" + name;
    }

    /// <summary>Adds a condition that has to be true too.</summary>
    internal void And(string condition) => Join(" and ", condition);

    internal void Join(string operation, string condition)
    {
        if (_where.Length > 0)
        {
            _where.Append(operation);
        }

        _where.Append(condition);
    }

    internal void AppendWhere(string text) => _where.Append(text);

    internal void OrderBy(string order) => _orders.Add(order);

    internal void ClearOrder() => _orders.Clear();

    internal void Include(string path) => _includes.Add(path);

    /// <summary>A field as RQL writes it: in quotes where it is no plain path.</summary>
    internal static string Field(string path) =>
        path.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '.' or '[' or ']' or '@' or '(' or ')' or '-')
            ? path
            : "'" + path.Replace("'", "\\'", StringComparison.Ordinal) + "'";

    internal string ToText()
    {
        var text = new StringBuilder("from ");
        if (IsIndex)
        {
            text.Append("index ");
        }

        text.Append(Source is null ? "@all_docs" : "'" + Source.Replace("'", "\\'", StringComparison.Ordinal) + "'");
        Append(text, " as ", Alias);
        Append(text, " group by ", GroupBy);
        Append(text, " where ", HasWhere ? _where.ToString() : null);
        Append(text, " order by ", _orders.Count > 0 ? string.Join(", ", _orders) : null);
        Append(text, IsDistinct ? " select distinct " : " select ", Select);
        Append(text, " include ", _includes.Count > 0 ? string.Join(", ", _includes) : null);
        if (Skip is > 0 || Take != null)
        {
            text.Append(CultureInfo.InvariantCulture, $" limit {Skip ?? 0}, {Take ?? int.MaxValue}");
        }

        return text.ToString();
    }

    private static void Append(StringBuilder text, string before, string? part)
    {
        if (part != null)
        {
            text.Append(before).Append(part);
        }
    }
}
