using System.Buffers;
using System.Globalization;
using System.Text;

namespace Raven.Client.Documents.Queries;

/// <summary>
/// Builds the text of a query from its parts. Every value is a parameter: no text of a caller becomes RQL.
/// </summary>
internal sealed class RqlBuilder
{
    private static readonly SearchValues<char> PlainCharacters =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.[]@-");

    /// <summary>Words that are no names of fields unless they are in quotes.</summary>
    private static readonly HashSet<string> Words =
        new(StringComparer.OrdinalIgnoreCase) { "not", "true", "false", "null", "distinct" };

    private readonly List<string> _orders = [];
    private readonly List<string> _includes = [];
    private int _orderAt;

    internal Dictionary<string, object?> Parameters { get; private init; } = [];

    internal ConditionList Conditions { get; private init; } = new();

    /// <summary>The collection or, with <see cref="IsIndex"/>, the index; null for all documents.</summary>
    internal string? Source { get; set; }

    internal bool IsIndex { get; set; }

    internal string? Alias { get; set; }

    internal string? GroupBy { get; set; }

    internal string? Select { get; set; }

    internal bool IsDistinct { get; set; }

    /// <summary>The condition that each result is checked for, after it was found; null for none.</summary>
    internal string? Filter { get; set; }

    /// <summary>How many results the filter scans at most.</summary>
    internal int? FilterLimit { get; set; }

    /// <summary>A function of JavaScript that the projection calls; null for none.</summary>
    internal string? Function { get; set; }

    internal int? Skip { get; set; }

    internal int? Take { get; set; }

    internal bool HasWhere => !Conditions.IsEmpty;

    internal RqlBuilder Copy()
    {
        var copy = new RqlBuilder
        {
            Parameters = new(Parameters),
            Conditions = Conditions.Copy(),
            Source = Source,
            IsIndex = IsIndex,
            Alias = Alias,
            GroupBy = GroupBy,
            Select = Select,
            Function = Function,
            IsDistinct = IsDistinct,
            Filter = Filter,
            FilterLimit = FilterLimit,
            Skip = Skip,
            Take = Take,
        };
        copy._orders.AddRange(_orders);
        copy._orderAt = _orderAt;
        copy._includes.AddRange(_includes);
        return copy;
    }

    /// <summary>The name of a new parameter, with its dollar.</summary>
    internal string Parameter(object? value)
    {
        int number = Parameters.Count;
        string name;
        do
        {
            name = string.Create(CultureInfo.InvariantCulture, $"p{number++}");
        }
        while (Parameters.ContainsKey(name));

        Parameters[name] = value;
        return "$" + name;
    }

    /// <summary>Adds a condition that has to be true too.</summary>
    internal void And(string condition) => Conditions.Add(condition);

    /// <summary>Adds an order for results that are equal so far.</summary>
    internal void OrderBy(string order) => _orders.Insert(_orderAt++, order);

    /// <summary>Makes the next orders come before those so far.</summary>
    internal void BeginOrder() => _orderAt = 0;

    internal void Include(string item)
    {
        if (!_includes.Contains(item))
        {
            _includes.Add(item);
        }
    }

    /// <summary>A field as RQL writes it: in quotes if it is no plain path.</summary>
    internal static string Field(string path)
    {
        ReadOnlySpan<char> name = path.EndsWith("()", StringComparison.Ordinal) ? path.AsSpan()[..^2] : path;
        return name.ContainsAnyExcept(PlainCharacters) || !AreNames(name) ? Quoted(path) : path;
    }

    private static bool AreNames(ReadOnlySpan<char> path)
    {
        bool isFirst = true;
        foreach (Range range in path.Split('.'))
        {
            ReadOnlySpan<char> name = path[range];
            if (name.IsEmpty || (!char.IsAsciiLetter(name[0]) && name[0] is not ('_' or '@'))
                || (isFirst && Words.GetAlternateLookup<ReadOnlySpan<char>>().Contains(name.TrimEnd("[]"))))
            {
                return false;
            }

            isFirst = false;
        }

        return true;
    }

    /// <summary>A text as a string literal of RQL.</summary>
    internal static string Quoted(string text) =>
        "'" + text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "\\'", StringComparison.Ordinal) + "'";

    internal string ToText()
    {
        var text = new StringBuilder();
        Append(text, "declare ", Function);
        text.Append(Function is null ? "from " : " from ");
        if (IsIndex)
        {
            text.Append("index ");
        }

        text.Append(Source is null ? "@all_docs" : Quoted(Source));
        Append(text, " as ", Alias);
        Append(text, " group by ", GroupBy);
        Append(text, " where ", Conditions.ToText());
        Append(text, " order by ", _orders.Count > 0 ? string.Join(", ", _orders) : null);
        Append(text, " filter ", Filter);
        Append(text, " filter_limit ", FilterLimit?.ToString(CultureInfo.InvariantCulture));
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
