using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// Writes the condition and the projection of a subscription's query as the body of a function in JavaScript: there,
/// texts are equal only in the same case.
/// </summary>
internal sealed class SubscriptionScriptText
{
    /// <summary>What conditions call.</summary>
    private const string Functions = """
        function $startsWith(a, b) { return typeof a === 'string' && a.startsWith(b); }
        function $endsWith(a, b) { return typeof a === 'string' && a.endsWith(b); }
        function $regex(a, b) { return typeof a === 'string' && new RegExp(b).test(a); }
        function $load(a) { return Array.isArray(a) ? a.map(one => load(one)) : a == null ? null : load(a); }
        function $each(value, path, at) {
            if (Array.isArray(value)) { return value.flatMap(one => $each(one, path, at)); }
            return at === path.length ? [value] : value == null ? [] : $each(value[path[at]], path, at + 1);
        }

        """;

    private readonly string _text;
    private readonly RqlQuery _rql;
    private readonly HashSet<string> _roots;
    private readonly string _alias;

    internal SubscriptionScriptText(string text, RqlQuery rql, string alias)
    {
        _text = text;
        _rql = rql;
        _alias = alias;
        _roots = [alias, "this"];
        foreach (RqlNamed load in rql.Load)
        {
            _roots.Add(NameOf(load.Alias!, out _));
        }
    }

    /// <summary>Writes the body.</summary>
    internal string Write()
    {
        var body = new StringBuilder(Functions);
        foreach (RqlDeclaration declared in _rql.Declarations)
        {
            body.Append("function ").Append(declared.Name).Append('(').AppendJoin(", ", declared.Parameters)
                .Append(") {").Append(declared.Body.Text).Append("}\n");
        }

        if (_rql.IsOfRevisions)
        {
            body.Append("const ").Append(_alias).Append(" = { Current: $current, Previous: $previous };\n");
        }

        if (_rql.Where is { } where)
        {
            body.Append("if (!(").Append(Condition(where)).Append(")) { return; }\n");
        }

        foreach (RqlNamed load in _rql.Load)
        {
            body.Append("const ").Append(NameOf(load.Alias!, out _)).Append(" = $load(")
                .Append(Value(load.Expression)).Append(");\n");
        }

        return body.Append("return ").Append(Projection()).Append(";\n").ToString();
    }

    private string Projection()
    {
        if (_rql.SelectScript is { } script)
        {
            return $"({{{script.Text}}})";
        }

        if (_rql.Select.Count == 0)
        {
            return "true";
        }

        if (_rql.Select is [{ Expression: RqlCall call, Alias: null }] && IsDeclared(call.Name))
        {
            return Value(call);
        }

        return $"{{ {string.Join(", ", _rql.Select.Select(Member))} }}";
    }

    private string Member(RqlNamed item)
    {
        string name = item.Alias ?? item.Expression switch
        {
            RqlField { Path: "id()" } => "id",
            RqlField field => field.Path[(field.Path.LastIndexOf('.') + 1)..],
            _ => throw new RqlException(_text, item.Expression.Position, "expected 'as' and a name for this value"),
        };
        return $"{Quote(name)}: {Value(item.Expression)}";
    }

    private string Condition(RqlExpression expression) => expression switch
    {
        RqlLogical logical =>
            $"({Condition(logical.Left)} {(logical.IsAnd ? "&&" : "||")} {Condition(logical.Right)})",
        RqlNot not => $"!({Condition(not.Inner)})",
        RqlComparison comparison => Compared(
            comparison.Left, left => $"{left} {SignOf(comparison)} {Value(comparison.Right)}"),
        RqlBetween between => Compared(
            between.Field, field => $"({field} >= {Value(between.Lower)} && {field} <= {Value(between.Upper)})"),
        RqlIn { IsAll: false } list => Compared(
            list.Field, field => $"[{string.Join(", ", list.Values.Select(Value))}].includes({field})"),
        RqlIn all => $"[{string.Join(", ", all.Values.Select(Value))}].every($v => {Each(all.Field)}.includes($v))",
        _ => Value(expression),
    };

    /// <summary>A comparison of a value, or of any of the values that a path through lists leads to.</summary>
    private string Compared(RqlExpression left, Func<string, string> compare) =>
        left is RqlField field && field.Path.Contains("[]", StringComparison.Ordinal)
            ? $"{Each(left)}.some($v => {compare("$v")})"
            : compare(Value(left));

    /// <summary>The values that a path leads to, as a list.</summary>
    private string Each(RqlExpression expression)
    {
        if (expression is not RqlField field)
        {
            return $"[{Value(expression)}]";
        }

        (string root, string[] path) = Split(field.Path.Replace("[]", "", StringComparison.Ordinal));
        return $"$each({root}, [{string.Join(", ", path.Select(Quote))}], 0)";
    }

    private static string SignOf(RqlComparison comparison)
    {
        bool isNull = comparison.Right is RqlLiteral { Value: null };
        return comparison.Sign switch
        {
            "=" => isNull ? "==" : "===",
            "!=" => isNull ? "!=" : "!==",
            _ => comparison.Sign,
        };
    }

    private string Value(RqlExpression expression) => expression switch
    {
        RqlField { Path: "id()" } => $"id({_alias})",
        RqlField field => Path(field.Path),
        RqlLiteral { Value: string text } => Quote(text),
        RqlLiteral { Value: null } => "null",
        RqlLiteral { Value: bool isTrue } => isTrue ? "true" : "false",
        RqlLiteral { Value: { } number } => Convert.ToString(number, CultureInfo.InvariantCulture)!,
        RqlScript script => $"({{{script.Text}}})",
        RqlList list => JsonSerializer.Serialize(list.Values),
        RqlCall call => Call(call),
        RqlParameter parameter => throw new RqlException(
            _text, parameter.Position, $"a subscription has no parameters: write the value of ${parameter.Name}"),
        RqlLogical or RqlNot or RqlComparison or RqlBetween or RqlIn => Condition(expression),
        _ => throw new RqlException(_text, expression.Position, "expected a field, a value or a call"),
    };

    private string Call(RqlCall call)
    {
        string[] arguments = [.. call.Arguments.Select(Value)];
        string list = string.Join(", ", arguments);
        int dot = call.Name.IndexOf('.', StringComparison.Ordinal);
        if (dot < 0 && !IsDeclared(call.Name))
        {
            switch (call.Name.ToLowerInvariant())
            {
                case "startswith" or "endswith" or "regex" when arguments.Length == 2:
                    return $"${(call.Name[0] is 's' or 'S' ? "startsWith"
                        : call.Name[0] is 'e' or 'E' ? "endsWith" : "regex")}({list})";
                case "exists" when arguments.Length == 1:
                    return $"({arguments[0]} !== undefined)";
                case "search" or "lucene" or "boost" or "exact" or "fuzzy" or "proximity" or "morelikethis" or "vector":
                    throw new RqlException(
                        _text, call.Position, $"{call.Name}() needs an index, which a subscription does not use");
            }
        }

        return dot < 0 ? $"{call.Name}({list})"
            : _roots.Contains(call.Name[..dot]) ? $"{Path(call.Name)}({list})"
            : $"{(char.IsUpper(call.Name[0]) && IsBuiltIn(call.Name[..dot]) ? call.Name : Path(call.Name))}({list})";
    }

    private static bool IsBuiltIn(string name) => name is "Math" or "Object" or "Array" or "JSON" or "Date" or "Number"
        or "String";

    private string Path(string path)
    {
        (string root, string[] names) = Split(path.Replace("[]", "", StringComparison.Ordinal));
        return root + string.Concat(names.Select(name => IsName(name) ? "." + name : $"[{Quote(name)}]"));
    }

    private (string Root, string[] Names) Split(string path)
    {
        string[] names = path.Split('.');
        string root = names[0] == "this" ? _alias : names[0];
        return _roots.Contains(names[0]) ? (root, names[1..]) : (_alias, names);
    }

    private bool IsDeclared(string name) => _rql.Declarations.Exists(one => one.Name == name);

    private static bool IsName(string name) => name.Length > 0 && !char.IsAsciiDigit(name[0])
        && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '$');

    private static string NameOf(string alias, out bool isMany)
    {
        isMany = alias.EndsWith("[]", StringComparison.Ordinal);
        return isMany ? alias[..^2] : alias;
    }

    private static string Quote(string text) => JsonSerializer.Serialize(text);
}
