using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>
/// Writes the outermost query of a map, in either syntax, as statements: <c>where</c> becomes an if, a
/// second <c>from</c> a foreach, <c>let</c> a variable, and <c>select</c> writes an entry. So the query
/// itself allocates nothing.
/// </summary>
internal sealed class PipelineWriter
{
    private readonly ExpressionWriter _expressions;
    private readonly string _rootName;
    private readonly StringBuilder _code = new();
    private int _open;
    private Element _current;

    /// <param name="expressions">Writes the expressions inside.</param>
    /// <param name="rootName"><c>docs</c> for a map, <c>results</c> for a reduce.</param>
    internal PipelineWriter(ExpressionWriter expressions, string rootName)
    {
        _expressions = expressions;
        _rootName = rootName;
        _current = new Element("input", null, null);
    }

    /// <summary>
    /// The current item at a place of the query: code, or an expression whose code is not written yet.
    /// </summary>
    private readonly record struct Element(string? Code, ExpressionSyntax? Node, Scope? Scope);

    /// <summary>The collections that the query starts from; empty for all.</summary>
    internal IReadOnlyList<string> Collections { get; private set; } = [];

    /// <summary>Whether it starts from counters.</summary>
    internal bool IsOfCounters { get; private set; }

    /// <summary>Whether it starts from segments of time series.</summary>
    internal bool IsOfTimeSeries { get; private set; }

    /// <summary>The name of the counters or time series; null for all of them.</summary>
    internal string? Counter { get; private set; }

    /// <summary>The function that gives the key of an item's group; null before a group.</summary>
    internal string? KeyCode { get; private set; }

    /// <summary>The names of the properties of the key.</summary>
    internal IReadOnlyList<string> KeyNames { get; private set; } = [];

    /// <summary>The name of the list of fields of the entries; null if they are known only at run time.</summary>
    internal string? FieldNames { get; private set; }

    private CodeParts Parts => _expressions.Parts;

    /// <summary>The statements of the whole query, from <c>input</c> to <c>output</c>.</summary>
    internal string Write(ExpressionSyntax query)
    {
        Flatten(query);
        Emit();
        _code.Append('}', _open);
        return _code.ToString();
    }

    private void Flatten(ExpressionSyntax node)
    {
        switch (node)
        {
            case ParenthesizedExpressionSyntax inner:
                Flatten(inner.Expression);
                break;
            case CastExpressionSyntax cast:
                Flatten(cast.Expression);
                break;
            case QueryExpressionSyntax query:
                FlattenQuery(query);
                break;
            case InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax member } call
                when !QuerySource.TryRead(node, _rootName, out _):
                FlattenCall(call, member);
                break;
            case ExpressionSyntax when _rootName == QuerySource.Documents
                && QuerySource.TryReadLinked(
                    node, QuerySource.Counters, out IReadOnlyList<string>? owners, out string? counter):
                Collections = owners;
                IsOfCounters = true;
                Counter = counter;
                break;
            case ExpressionSyntax when _rootName == QuerySource.Documents
                && QuerySource.TryReadLinked(
                    node, QuerySource.TimeSeries, out IReadOnlyList<string>? measured, out string? series):
                Collections = measured;
                IsOfTimeSeries = true;
                Counter = series;
                break;
            default:
                Collections = QuerySource.TryRead(node, _rootName, out IReadOnlyList<string>? collections)
                    ? collections
                    : throw MapSyntaxException.At(node, $"A query starts from '{_rootName}', not from "
                        + $"'{ExpressionWriter.Shorten(node)}'.");
                break;
        }
    }

    private void FlattenQuery(QueryExpressionSyntax query)
    {
        Flatten(query.FromClause.Expression);
        Scope scope = new();
        scope.Set(query.FromClause.Identifier.Text, Materialize());
        FlattenBody(query.Body, scope, query.FromClause.Identifier.Text);
    }

    private void FlattenBody(QueryBodySyntax body, Scope scope, string variable)
    {
        foreach (QueryClauseSyntax clause in body.Clauses)
        {
            FlattenClause(clause, scope);
        }

        switch (body.SelectOrGroup)
        {
            case SelectClauseSyntax select:
                _current = new Element(null, select.Expression, scope);
                break;
            case GroupClauseSyntax group when _rootName == QuerySource.Results && KeyCode is null:
                if (body.Clauses.Count > 0 || group.GroupExpression.ToString() != variable)
                {
                    throw MapSyntaxException.At(group, $"A reduce groups the results as they are: 'from {variable} in "
                        + $"results group {variable} by ...'.");
                }

                SetKey(group.ByExpression, scope);
                _code.Clear();
                _current = new Element("input", null, null);
                break;
            default:
                throw MapSyntaxException.At(body.SelectOrGroup, "A map does not group; that is what a reduce is for.");
        }

        if (body.Continuation is { } next)
        {
            GroupRules.Check(next.Body, next.Identifier.Text, KeyCode is not null);
            Scope after = new();
            after.Set(next.Identifier.Text, Materialize());
            FlattenBody(next.Body, after, next.Identifier.Text);
        }
    }

    private void FlattenClause(QueryClauseSyntax clause, Scope scope)
    {
        switch (clause)
        {
            case FromClauseSyntax from:
                string items = _expressions.Value(from.Expression, scope);
                scope.Set(from.Identifier.Text, OpenLoop(from.Identifier.Text, items));
                break;
            case LetClauseSyntax let:
                string value = _expressions.Value(let.Expression, scope);
                scope.Set(let.Identifier.Text, Declare(let.Identifier.Text, value));
                break;
            case WhereClauseSyntax where:
                OpenIf(_expressions.Condition(where.Condition, scope));
                break;
            case OrderByClauseSyntax:
                // Entries have no order before a query orders them.
                break;
            default:
                throw MapSyntaxException.At(clause, "A join is not supported: use LoadDocument, or a second from.");
        }
    }

    private void FlattenCall(InvocationExpressionSyntax call, MemberAccessExpressionSyntax member)
    {
        string name = member.Name.Identifier.Text;
        List<ExpressionSyntax> arguments = [.. call.ArgumentList.Arguments.Select(argument => argument.Expression)];
        ExpressionSyntax receiver = member.Expression;
        if (ExpressionWriter.NameOf(receiver) is { } type && AllowedMethods.TypeOf(type) == "Enumerable"
            && arguments.Count > 0)
        {
            receiver = arguments[0];
            arguments.RemoveAt(0);
        }

        Flatten(receiver);
        List<LambdaExpressionSyntax> functions = [.. arguments.Select(argument =>
            FunctionWriter.AsFunction(argument)
                ?? throw MapSyntaxException.At(argument, "A function is wanted here."))];
        switch (name, functions.Count)
        {
            case ("Where", 1):
                string code = Materialize();
                OpenIf(Condition(functions[0], code));
                _current = new Element(code, null, null);
                break;
            case ("Select", 1):
                Apply(functions[0], Materialize());
                break;
            case ("SelectMany", 1 or 2):
                string outer = Materialize();
                string inner = OpenLoop("item", Call(functions[0], outer));
                _current = new Element(inner, null, null);
                if (functions.Count == 2)
                {
                    Apply(functions[1], outer, inner);
                }

                break;
            case ("GroupBy", 1) when _rootName == QuerySource.Results && KeyCode is null:
                Group(call, functions[0]);
                break;
            case ("OrderBy" or "OrderByDescending" or "ThenBy" or "ThenByDescending", 1):
            case ("AsEnumerable" or "ToList" or "ToArray" or "AsQueryable" or "Cast" or "OfType", 0):
                break;
            default:
                throw MapSyntaxException.At(call, $"'{name}' is not supported in the outermost query of an index.");
        }
    }

    private void Group(InvocationExpressionSyntax call, LambdaExpressionSyntax key)
    {
        if (key.Body is not ExpressionSyntax body)
        {
            throw MapSyntaxException.At(key, "The key of a group is an expression.");
        }

        Scope scope = new();
        scope.Set(FunctionWriter.ParameterNames(key)[0], "input");
        SetKey(body, scope);
        if (call.Parent is MemberAccessExpressionSyntax { Parent: InvocationExpressionSyntax next }
            && next.ArgumentList.Arguments is [{ } argument, ..]
            && FunctionWriter.AsFunction(argument.Expression) is { } function)
        {
            GroupRules.Check(function, FunctionWriter.ParameterNames(function)[0], isGroup: true);
        }
    }

    private void SetKey(ExpressionSyntax key, Scope scope)
    {
        KeyCode = _expressions.Value(key, scope);
        KeyNames = RecordWriter.Properties(key) is { } properties
            ? [.. properties.Select(property => property.Name)]
            : [];
    }

    /// <summary>Makes the result of a function the current item.</summary>
    private void Apply(LambdaExpressionSyntax function, params string[] arguments)
    {
        IReadOnlyList<string> names = FunctionWriter.ParameterNames(function);
        if (function.Body is not ExpressionSyntax body)
        {
            _current = new Element(Declare("result", CallBlock(function, arguments)), null, null);
            return;
        }

        Scope scope = new();
        for (int i = 0; i < names.Count; i++)
        {
            scope.Set(names[i], i < arguments.Length
                ? arguments[i]
                : throw MapSyntaxException.At(function, "The function has too many parameters."));
        }

        _current = new Element(null, body, scope);
    }

    private string Call(LambdaExpressionSyntax function, string argument)
    {
        if (function.Body is not ExpressionSyntax body)
        {
            return CallBlock(function, argument);
        }

        Scope scope = new();
        scope.Set(FunctionWriter.ParameterNames(function)[0], argument);
        return _expressions.Value(body, scope);
    }

    private string Condition(LambdaExpressionSyntax function, string argument)
    {
        if (function.Body is not ExpressionSyntax body)
        {
            return $"{CallBlock(function, argument)}.IsTrue";
        }

        Scope scope = new();
        scope.Set(FunctionWriter.ParameterNames(function)[0], argument);
        return _expressions.Condition(body, scope);
    }

    private string CallBlock(LambdaExpressionSyntax function, params string[] arguments)
    {
        string types = string.Join(", ", Enumerable.Repeat("DynamicValue", arguments.Length + 1));
        return $"((System.Func<{types}>)({_expressions.Functions.Write(function, new Scope())}))"
            + $"({string.Join(", ", arguments)})";
    }

    private string Materialize() => _current.Node is { } node
        ? Declare("value", _expressions.Value(node, _current.Scope!))
        : _current.Code!;

    private string Declare(string name, string value)
    {
        string variable = Parts.Variable(name);
        _code.Append("DynamicValue ").Append(variable).Append(" = ").Append(value).Append(";\n");
        return variable;
    }

    private string OpenLoop(string name, string items)
    {
        string variable = Parts.Variable(name);
        _code.Append("foreach (DynamicValue ").Append(variable).Append(" in ").Append(items).Append(".Items()) {\n");
        _open++;
        return variable;
    }

    private void OpenIf(string condition)
    {
        _code.Append("if (").Append(condition).Append(") {\n");
        _open++;
    }

    private void Emit()
    {
        if (_current.Node is not { } node || RecordWriter.Properties(node) is not { } properties)
        {
            _code.Append("output.AddEntry(").Append(Materialize()).Append(");\n");
            return;
        }

        FieldNames = Parts.Names(properties.Select(property => property.Name));
        _code.Append("output.BeginEntry();\n");
        for (int i = 0; i < properties.Count; i++)
        {
            _code.Append("output.Add(").Append(i).Append(", ")
                .Append(_expressions.Value(properties[i].Value, _current.Scope!)).Append(");\n");
        }

        _code.Append("output.EndEntry();\n");
    }
}
