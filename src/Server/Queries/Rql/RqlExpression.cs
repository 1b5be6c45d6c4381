namespace Raven.Server.Queries.Rql;

/// <summary>A part of a query; it knows where it stands in the text, so that an error can say so.</summary>
/// <param name="Position">Its first character.</param>
internal abstract record RqlExpression(int Position);

/// <summary>A field: names with dots; [] stands for every item of an array. id() is one too.</summary>
internal sealed record RqlField(int Position, string Path) : RqlExpression(Position);

/// <summary>A text, long, double, boolean or null.</summary>
internal sealed record RqlLiteral(int Position, object? Value) : RqlExpression(Position);

/// <summary>A list of numbers, texts and lists of these: a vector, or several.</summary>
internal sealed record RqlList(int Position, IReadOnlyList<object?> Values) : RqlExpression(Position);

/// <summary>A parameter, by its name without the $.</summary>
internal sealed record RqlParameter(int Position, string Name) : RqlExpression(Position);

/// <summary>A JSON object or a script, as it stands between its braces.</summary>
internal sealed record RqlScript(int Position, string Text) : RqlExpression(Position);

/// <summary>A function and what it is given; names with dots as spatial.circle are one name.</summary>
internal sealed record RqlCall(int Position, string Name, IReadOnlyList<RqlExpression> Arguments)
    : RqlExpression(Position);

/// <summary>A field, what it is compared by (=, !=, &lt;, &lt;=, &gt;, &gt;=) and a value.</summary>
internal sealed record RqlComparison(int Position, RqlExpression Left, string Sign, RqlExpression Right)
    : RqlExpression(Position);

/// <summary>A field between two values, both included.</summary>
internal sealed record RqlBetween(int Position, RqlExpression Field, RqlExpression Lower, RqlExpression Upper)
    : RqlExpression(Position);

/// <summary>A field and values of which it has one, or all.</summary>
internal sealed record RqlIn(int Position, RqlExpression Field, IReadOnlyList<RqlExpression> Values, bool IsAll)
    : RqlExpression(Position);

/// <summary>Both, or one of two.</summary>
internal sealed record RqlLogical(int Position, bool IsAnd, RqlExpression Left, RqlExpression Right)
    : RqlExpression(Position);

/// <summary>Not.</summary>
internal sealed record RqlNot(int Position, RqlExpression Inner) : RqlExpression(Position);

/// <summary>What a facet works out, and the name that it is given: <c>sum(Price) as 'Total'</c>.</summary>
internal sealed record RqlAliased(int Position, RqlExpression Inner, string Alias) : RqlExpression(Position);

/// <summary>An expression and the name it is given.</summary>
internal sealed record RqlNamed(RqlExpression Expression, string? Alias);

/// <summary>A key to order by.</summary>
/// <param name="Expression">A field or a call.</param>
/// <param name="Type">string, long, double, alphanumeric in lower case; null where none is given.</param>
/// <param name="IsDescending">The greatest first.</param>
/// <param name="NullsLast">Where nulls go; null where nothing is said.</param>
internal sealed record RqlOrder(RqlExpression Expression, string? Type, bool IsDescending, bool? NullsLast);

/// <summary>A function of the query's own.</summary>
/// <param name="Name">What it is called.</param>
/// <param name="Parameters">What its parameters are called.</param>
/// <param name="Body">What it does.</param>
internal sealed record RqlDeclaration(string Name, IReadOnlyList<string> Parameters, RqlScript Body);
