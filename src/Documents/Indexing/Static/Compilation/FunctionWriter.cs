using System.Text;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>
/// Writes the functions that maps pass as arguments: an expression, or a block whose loops are sure to end.
/// </summary>
internal sealed class FunctionWriter(ExpressionWriter expressions)
{
    private readonly ExpressionWriter _expressions = expressions;

    /// <summary>The function that an argument is, through casts and parentheses; null if it is a value.</summary>
    internal static LambdaExpressionSyntax? AsFunction(ExpressionSyntax node) => node switch
    {
        LambdaExpressionSyntax lambda => lambda,
        ParenthesizedExpressionSyntax inner => AsFunction(inner.Expression),
        CastExpressionSyntax cast => AsFunction(cast.Expression),
        _ => null,
    };

    internal static int ParameterCount(LambdaExpressionSyntax lambda) => ParameterNames(lambda).Count;

    internal static IReadOnlyList<string> ParameterNames(LambdaExpressionSyntax lambda) => lambda switch
    {
        SimpleLambdaExpressionSyntax simple => [simple.Parameter.Identifier.Text],
        ParenthesizedLambdaExpressionSyntax many =>
            [.. many.ParameterList.Parameters.Select(parameter => parameter.Identifier.Text)],
        _ => [],
    };

    /// <summary>The code of a function over values.</summary>
    internal string Write(LambdaExpressionSyntax lambda, Scope outer)
    {
        Scope scope = new(outer);
        List<string> parameters = [];
        foreach (string name in ParameterNames(lambda))
        {
            string code = _expressions.Parts.Variable(name);
            parameters.Add(code);
            scope.Set(name, code);
        }

        string body = lambda.Body is BlockSyntax block
            ? Block(block, scope)
            : _expressions.Value((ExpressionSyntax)lambda.Body, scope);
        return $"({string.Join(", ", parameters)}) => {body}";
    }

    /// <summary>The code of a block, whose result is what it returns.</summary>
    internal string Block(BlockSyntax block, Scope outer)
    {
        StringBuilder code = new("{ ");
        WriteStatements(code, block.Statements, new Scope(outer));
        return code.Append("return DynamicValue.Null; }").ToString();
    }

    private void WriteStatements(StringBuilder code, IEnumerable<StatementSyntax> statements, Scope scope)
    {
        foreach (StatementSyntax statement in statements)
        {
            WriteStatement(code, statement, scope);
        }
    }

    private void WriteStatement(StringBuilder code, StatementSyntax statement, Scope scope)
    {
        switch (statement)
        {
            case BlockSyntax block:
                code.Append("{ ");
                WriteStatements(code, block.Statements, new Scope(scope));
                code.Append("} ");
                break;
            case ReturnStatementSyntax { Expression: { } value }:
                // In a condition, so that the compiler does not warn about unreachable code after it.
                code.Append("if (Always) { return ").Append(_expressions.Value(value, scope)).Append("; } ");
                break;
            case LocalDeclarationStatementSyntax local:
                Declare(code, local, scope);
                break;
            case IfStatementSyntax choice:
                code.Append("if (").Append(_expressions.Condition(choice.Condition, scope)).Append(") { ");
                WriteStatement(code, choice.Statement, new Scope(scope));
                code.Append("} ");
                if (choice.Else is { } otherwise)
                {
                    code.Append("else { ");
                    WriteStatement(code, otherwise.Statement, new Scope(scope));
                    code.Append("} ");
                }

                break;
            case ForEachStatementSyntax loop:
                Loop(code, loop, scope);
                break;
            case ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax assignment }:
                Assign(code, assignment, scope);
                break;
            default:
                throw MapSyntaxException.At(
                    statement, $"The statement '{ExpressionWriter.Shorten(statement)}' is not supported in an index.");
        }
    }

    private void Declare(StringBuilder code, LocalDeclarationStatementSyntax local, Scope scope)
    {
        foreach (VariableDeclaratorSyntax variable in local.Declaration.Variables)
        {
            string value = variable.Initializer is { } start
                ? _expressions.Value(start.Value, scope)
                : "DynamicValue.Null";
            string name = _expressions.Parts.Variable(variable.Identifier.Text);
            scope.Set(variable.Identifier.Text, name);
            code.Append("DynamicValue ").Append(name).Append(" = ").Append(value).Append("; ");
        }
    }

    private void Loop(StringBuilder code, ForEachStatementSyntax loop, Scope scope)
    {
        string items = _expressions.Value(loop.Expression, scope);
        Scope inner = new(scope);
        string name = _expressions.Parts.Variable(loop.Identifier.Text);
        inner.Set(loop.Identifier.Text, name);
        code.Append("foreach (DynamicValue ").Append(name).Append(" in ").Append(items).Append(".Items()) { ");
        WriteStatement(code, loop.Statement, inner);
        code.Append("} ");
    }

    private void Assign(StringBuilder code, AssignmentExpressionSyntax assignment, Scope scope)
    {
        string target = assignment.Left is IdentifierNameSyntax name && scope.Find(name.Identifier.Text) is { } found
            ? found
            : throw MapSyntaxException.At(assignment.Left, "Only variables can be given a value in an index.");
        string value = _expressions.Value(assignment.Right, scope);
        string sum = assignment.OperatorToken.Text switch
        {
            "=" => value,
            "+=" => $"DynamicNumbers.Add({target}, {value})",
            "-=" => $"DynamicNumbers.Subtract({target}, {value})",
            "*=" => $"DynamicNumbers.Multiply({target}, {value})",
            _ => throw MapSyntaxException.At(
                assignment, $"The operator '{assignment.OperatorToken.Text}' is not supported."),
        };
        code.Append(target).Append(" = ").Append(sum).Append("; ");
    }
}
