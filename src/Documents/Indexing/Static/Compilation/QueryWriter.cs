using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>
/// Writes query expressions within a map: each clause becomes a function over the clauses after it, whose result is a
/// sequence. If a clause needs the whole sequence (<c>orderby</c>, <c>group</c>), the clauses before it make objects
/// of all variables.
/// </summary>
internal sealed class QueryWriter(ExpressionWriter expressions)
{
    private readonly ExpressionWriter _expressions = expressions;

    internal string Write(QueryExpressionSyntax query, Scope scope)
    {
        List<SyntaxNode> clauses = [query.FromClause, .. query.Body.Clauses];
        return WriteBody(clauses, query.Body, scope, code => code);
    }

    private string WriteBody(
        List<SyntaxNode> clauses, QueryBodySyntax body, Scope scope, Func<string, string> around)
    {
        string result = Ordered(clauses, 0, scope, inner => body.SelectOrGroup switch
        {
            SelectClauseSyntax select => $"DynamicValue.List({_expressions.Value(select.Expression, inner)})",
            GroupClauseSyntax group => "DynamicValue.List(" + Record(
                ["Key", "Value"],
                [
                    _expressions.Value(group.ByExpression, inner), _expressions.Value(group.GroupExpression, inner),
                ]) + ")",
            _ => throw MapSyntaxException.At(body.SelectOrGroup, "A query ends with select or group."),
        }, around);
        if (body.SelectOrGroup is GroupClauseSyntax)
        {
            result = $"DynamicGroups.Of({result})";
        }

        if (body.Continuation is not { } next)
        {
            return result;
        }

        (Scope inner, string variable) = With(scope, next.Identifier.Text);
        return WriteBody(
            [.. next.Body.Clauses], next.Body, inner, rest => $"{result}.SelectMany({variable} => {rest})");
    }

    private string Clauses(List<SyntaxNode> clauses, int index, Scope scope, Func<Scope, string> end)
    {
        if (index == clauses.Count)
        {
            return end(scope);
        }

        switch (clauses[index])
        {
            case FromClauseSyntax from:
                string items = _expressions.Value(from.Expression, scope);
                (Scope inner, string name) = With(scope, from.Identifier.Text);
                return Ordered(clauses, index + 1, inner, end, rest => $"{items}.SelectMany({name} => {rest})");
            case LetClauseSyntax let:
                string value = _expressions.Value(let.Expression, scope);
                (Scope known, string variable) = With(scope, let.Identifier.Text);
                return Ordered(clauses, index + 1, known, end, rest =>
                    $"DynamicValue.List({value}).SelectMany({variable} => {rest})");
            case WhereClauseSyntax where:
                string condition = _expressions.Condition(where.Condition, scope);
                return Ordered(clauses, index + 1, scope, end, rest => $"({condition} ? {rest} : DynamicValue.Null)");
            default:
                throw MapSyntaxException.At(
                    clauses[index], $"'{ExpressionWriter.Shorten(clauses[index])}' is not supported in an index.");
        }
    }

    /// <summary>
    /// The code of the clauses after a clause; an <c>orderby</c> among them is applied to their whole result.
    /// </summary>
    private string Ordered(
        List<SyntaxNode> clauses, int index, Scope scope, Func<Scope, string> end, Func<string, string> around)
    {
        int order = clauses.FindIndex(index, clause => clause is OrderByClauseSyntax);
        if (order < 0)
        {
            return around(Clauses(clauses, index, scope, end));
        }

        // The clauses before the orderby make objects of their variables; those after it start from these objects.
        HashSet<string> names = [];
        string before = around(Clauses(clauses[..order], index, scope, inner =>
        {
            names.UnionWith(inner.Names);
            return "DynamicValue.List(" + Record([.. names], [.. names.Select(name => inner.Find(name)!)]) + ")";
        }));
        string item = _expressions.Parts.Variable("item");
        Scope after = new();
        foreach (string name in names)
        {
            after.Set(name, $"{item}.Get({_expressions.Parts.Member(name)})");
        }

        bool isFirst = true;
        foreach (OrderingSyntax ordering in ((OrderByClauseSyntax)clauses[order]).Orderings)
        {
            string method = (isFirst ? "OrderBy" : "ThenBy")
                + (ordering.IsKind(SyntaxKind.DescendingOrdering) ? "Descending" : "");
            before = $"{before}.{method}({item} => {_expressions.Value(ordering.Expression, after)})";
            isFirst = false;
        }

        List<SyntaxNode> rest = clauses[(order + 1)..];
        return $"{before}.SelectMany({item} => {Ordered(rest, 0, after, end, code => code)})";
    }

    private string Record(string[] names, string[] values) =>
        $"DynamicValue.Of(new DynamicRecord({_expressions.Parts.Names(names)}, [{string.Join(", ", values)}]))";

    private (Scope Scope, string Name) With(Scope outer, string name)
    {
        Scope scope = new(outer);
        string code = _expressions.Parts.Variable(name);
        scope.Set(name, code);
        return (scope, code);
    }
}
