namespace Raven.Documents.Queries.Rql;

/// <summary>A part of a query, with its place in the text for errors.</summary>
/// <param name="Position">The index of its first character.</param>
internal abstract record RqlExpression(int Position);

/// <summary>A field: names with dots; [] stands for every item of an array. id() is one too.</summary>
internal sealed record RqlField(int Position, string Path) : RqlExpression(Position);

/// <summary>A text, long, double, boolean or null.</summary>
internal sealed record RqlLiteral(int Position, object? Value) : RqlExpression(Position);

/// <summary>A list of numbers, texts and lists of these: a vector, or several.</summary>
internal sealed record RqlList(int Position, IReadOnlyList<object?> Values) : RqlExpression(Position);

/// <summary>A parameter, by its name without the $.</summary>
internal sealed record RqlParameter(int Position, string Name) : RqlExpression(Position);

/// <summary>A JSON object or a script, with the text between its braces.</summary>
internal sealed record RqlScript(int Position, string Text) : RqlExpression(Position);

/// <summary>A function and its arguments; names with dots as spatial.circle are one name.</summary>
internal sealed record RqlCall(int Position, string Name, IReadOnlyList<RqlExpression> Arguments)
    : RqlExpression(Position);

/// <summary>A field, an operator (=, !=, &lt;, &lt;=, &gt;, &gt;=) and a value.</summary>
internal sealed record RqlComparison(int Position, RqlExpression Left, string Sign, RqlExpression Right)
    : RqlExpression(Position);

/// <summary>A field between two values, both included.</summary>
internal sealed record RqlBetween(int Position, RqlExpression Field, RqlExpression Lower, RqlExpression Upper)
    : RqlExpression(Position);

/// <summary>A field and a list of values: it has one of them, or all.</summary>
internal sealed record RqlIn(int Position, RqlExpression Field, IReadOnlyList<RqlExpression> Values, bool IsAll)
    : RqlExpression(Position);

/// <summary>Two conditions that are joined by and, or by or.</summary>
internal sealed record RqlLogical(int Position, bool IsAnd, RqlExpression Left, RqlExpression Right)
    : RqlExpression(Position);

/// <summary>A negated condition.</summary>
internal sealed record RqlNot(int Position, RqlExpression Inner) : RqlExpression(Position);

/// <summary>An aggregation of a facet and its name: <c>sum(Price) as 'Total'</c>.</summary>
internal sealed record RqlAliased(int Position, RqlExpression Inner, string Alias) : RqlExpression(Position);

/// <summary>An expression and its name, or null.</summary>
internal sealed record RqlNamed(RqlExpression Expression, string? Alias);

/// <summary>A key to order by.</summary>
/// <param name="Expression">A field or a call.</param>
/// <param name="Type">string, long, double, alphanumeric in lower case; null if none is given.</param>
/// <param name="IsDescending">True to sort the greatest first.</param>
/// <param name="NullsLast">Whether nulls are last; null if the query does not say.</param>
internal sealed record RqlOrder(RqlExpression Expression, string? Type, bool IsDescending, bool? NullsLast);

/// <summary>A function that the query declares.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Parameters">The names of its parameters.</param>
/// <param name="Body">Its body.</param>
internal sealed record RqlDeclaration(string Name, IReadOnlyList<string> Parameters, RqlScript Body);
