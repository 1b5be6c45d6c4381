using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>
/// Writes C# over <see cref="Values.DynamicValue"/> for the expressions of a map: every value has that one type,
/// members and operators become calls. Unknown expressions are refused with their place, so that a map can only read
/// its document.
/// </summary>
internal sealed class ExpressionWriter
{
    private readonly CallWriter _calls;
    private readonly FunctionWriter _functions;
    private readonly QueryWriter _queries;
    private readonly RecordWriter _records;
    private string? _conditionalTarget;

    internal ExpressionWriter(CodeParts parts)
    {
        Parts = parts;
        _functions = new FunctionWriter(this);
        _calls = new CallWriter(this, _functions);
        _queries = new QueryWriter(this);
        _records = new RecordWriter(this);
    }

    internal CodeParts Parts { get; }

    internal RecordWriter Records => _records;

    internal FunctionWriter Functions => _functions;

    /// <summary>The code of an expression as a value.</summary>
    internal string Value(ExpressionSyntax node, Scope scope) => node switch
    {
        ParenthesizedExpressionSyntax inner => Value(inner.Expression, scope),
        LiteralExpressionSyntax literal => Literal(literal),
        IdentifierNameSyntax name => Variable(name, scope),
        MemberAccessExpressionSyntax { Expression: TypeOfExpressionSyntax } fact when Parts.HasSources =>
            $"DynamicConvert.FromObject({CodeParts.Mark(fact)}{fact})",
        MemberAccessExpressionSyntax member => Member(member, scope),
        MemberBindingExpressionSyntax binding => $"{Target(binding)}.Get({Parts.Member(binding.Name.Identifier.Text)})",
        ConditionalAccessExpressionSyntax access => Conditional(access, scope),
        ElementAccessExpressionSyntax element =>
            $"{Value(element.Expression, scope)}.At({Index(element.ArgumentList, scope)})",
        ElementBindingExpressionSyntax element => $"{Target(element)}.At({Index(element.ArgumentList, scope)})",
        InvocationExpressionSyntax call => _calls.Write(call, scope, _conditionalTarget),
        BinaryExpressionSyntax binary => Binary(binary, scope),
        PrefixUnaryExpressionSyntax unary => Prefix(unary, scope),
        PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } sure =>
            Value(sure.Operand, scope),
        ConditionalExpressionSyntax choice => $"({Condition(choice.Condition, scope)} ? "
            + $"{Value(choice.WhenTrue, scope)} : {Value(choice.WhenFalse, scope)})",
        CastExpressionSyntax cast => Cast(cast.Type.ToString(), cast.Expression, scope),
        QueryExpressionSyntax query => _queries.Write(query, scope),
        InterpolatedStringExpressionSyntax text => _records.Interpolated(text, scope),
        IsPatternExpressionSyntax => Truth(Condition(node, scope)),
        AnonymousObjectCreationExpressionSyntax or BaseObjectCreationExpressionSyntax or ArrayCreationExpressionSyntax
            or ImplicitArrayCreationExpressionSyntax or CollectionExpressionSyntax => _records.Write(node, scope),
        DefaultExpressionSyntax => "DynamicValue.Null",
        PredefinedTypeSyntax or ThisExpressionSyntax => throw Unknown(node),
        LambdaExpressionSyntax => throw MapSyntaxException.At(node, "A function is not a value here."),
        _ => throw MapSyntaxException.At(node, $"'{Shorten(node)}' is not supported in an index."),
    };

    /// <summary>The code of an expression as a condition: a <c>bool</c> of C#.</summary>
    internal string Condition(ExpressionSyntax node, Scope scope)
    {
        switch (node)
        {
            case ParenthesizedExpressionSyntax inner:
                return Condition(inner.Expression, scope);
            case PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression } not:
                return $"!{Condition(not.Operand, scope)}";
            case IsPatternExpressionSyntax pattern:
                return Pattern(Value(pattern.Expression, scope), pattern.Pattern, scope);
            case LiteralExpressionSyntax { RawKind: (int)SyntaxKind.TrueLiteralExpression }:
                return "true";
            case LiteralExpressionSyntax { RawKind: (int)SyntaxKind.FalseLiteralExpression }:
                return "false";
            case BinaryExpressionSyntax binary when Comparison(binary, scope) is { } comparison:
                return comparison;
            default:
                return $"{Value(node, scope)}.IsTrue";
        }
    }

    internal static string Shorten(SyntaxNode node)
    {
        string text = node.ToString();
        return text.Length <= 60 ? text : text[..60] + "...";
    }

    /// <summary>The name of a type or of a namespace and a type; null if the expression is something else.</summary>
    internal static string? NameOf(ExpressionSyntax node) => node switch
    {
        IdentifierNameSyntax name => name.Identifier.Text,
        PredefinedTypeSyntax type => type.Keyword.Text,
        MemberAccessExpressionSyntax { Expression: var inner, Name: IdentifierNameSyntax name } =>
            NameOf(inner) is { } outer ? $"{outer}.{name.Identifier.Text}" : null,
        _ => null,
    };

    /// <summary>The first part of a name with dots.</summary>
    internal static string RootOf(string name) => name.Split('.')[0];

    /// <summary>The code of an expression, cast to a type of C#.</summary>
    internal string Cast(string type, ExpressionSyntax node, Scope scope)
    {
        if (node is LambdaExpressionSyntax or ParenthesizedExpressionSyntax { Expression: LambdaExpressionSyntax })
        {
            throw MapSyntaxException.At(node, "A function is not a value here.");
        }

        return Cast(type, Value(node, scope));
    }

    /// <summary>Code of a value, cast to a type of C#.</summary>
    internal static string Cast(string type, string value)
    {
        string plain = type.TrimEnd('?');
        string? convert = AllowedMethods.TypeOf(plain) switch
        {
            "String" => "ToText",
            "Int32" or "Int64" => "ToInteger",
            "Double" => "ToReal",
            "Decimal" => "ToDecimal",
            "Boolean" => "ToBoolean",
            "DateTime" or "DateTimeOffset" => "ToDate",
            "TimeSpan" => "ToDuration",
            _ => plain is "byte" or "uint" or "ulong" or "ushort" or "sbyte" ? "ToInteger" : null,
        };
        return convert is null ? value : $"DynamicConvert.{convert}({value})";
    }

    private static string Truth(string condition) => $"DynamicValue.Of({condition})";

    private string Literal(LiteralExpressionSyntax literal) => literal.Token.Value switch
    {
        null => "DynamicValue.Null",
        string text => Parts.Text(text),
        char one => Parts.Text(one.ToString()),
        bool flag => flag ? Parts.Constant("DynamicValue.Of(true)") : Parts.Constant("DynamicValue.Of(false)"),
        decimal exact => Parts.Constant($"DynamicValue.Of({exact.ToString(CultureInfo.InvariantCulture)}m)"),
        double or float => Parts.Constant(string.Create(
            CultureInfo.InvariantCulture, $"DynamicValue.Of({Convert.ToDouble(literal.Token.Value, null):R}d)")),
        _ => Parts.Constant($"DynamicValue.Of({Convert.ToString(literal.Token.Value, CultureInfo.InvariantCulture)}L)"),
    };

    private static string Variable(IdentifierNameSyntax name, Scope scope) =>
        scope.Find(name.Identifier.Text) ?? throw Unknown(name);

    private static MapSyntaxException Unknown(ExpressionSyntax node) =>
        MapSyntaxException.At(node, $"The name '{Shorten(node)}' is not known here.");

    private string Member(MemberAccessExpressionSyntax member, Scope scope)
    {
        string name = member.Name.Identifier.Text;
        if (NameOf(member.Expression) is { } typeName && scope.Find(RootOf(typeName)) is null)
        {
            if (AllowedMethods.IsEnumeration(typeName))
            {
                if (typeName.Split('.')[^1] == "CultureInfo" && !AllowedMethods.IsInvariant($"{typeName}.{name}"))
                {
                    throw MapSyntaxException.At(member, $"'{Shorten(member)}' would make the index depend on where it "
                        + "runs: there is CultureInfo.InvariantCulture.");
                }

                return Parts.Text(name);
            }

            if (AllowedMethods.TypeOf(typeName) is { } type)
            {
                return AllowedMethods.ConstantOf(type, name) is { } code
                    ? Parts.Constant(code)
                    : throw MapSyntaxException.At(member, name is "Now" or "UtcNow" or "Today"
                        ? $"'{Shorten(member)}' would make the index depend on when it runs: compare times in a query."
                        : $"'{Shorten(member)}' is not supported in an index.");
            }

            return Parts.HasSources
                ? $"{CodeParts.Mark(member)}DynamicConvert.FromObject({member})"
                : throw Unknown(member.Expression);
        }

        return $"{Value(member.Expression, scope)}.Get({Parts.Member(name)})";
    }

    private string Conditional(ConditionalAccessExpressionSyntax access, Scope scope)
    {
        string? outer = _conditionalTarget;
        string target = Value(access.Expression, scope);
        _conditionalTarget = target;
        string result = Value(access.WhenNotNull, scope);
        _conditionalTarget = outer;
        return result;
    }

    private string Target(ExpressionSyntax binding) =>
        _conditionalTarget ?? throw MapSyntaxException.At(binding, "There is nothing before the dot.");

    private string Index(BracketedArgumentListSyntax arguments, Scope scope) => arguments.Arguments.Count == 1
        ? Value(arguments.Arguments[0].Expression, scope)
        : throw MapSyntaxException.At(arguments, "One index is wanted.");

    private string Binary(BinaryExpressionSyntax binary, Scope scope)
    {
        if (Comparison(binary, scope) is { } condition)
        {
            return Truth(condition);
        }

        if (binary.IsKind(SyntaxKind.AsExpression))
        {
            return binary.Right.ToString().TrimEnd('?') is "string" or "String"
                ? $"DynamicConvert.AsText({Value(binary.Left, scope)})"
                : Cast(binary.Right.ToString(), binary.Left, scope);
        }

        string left = Value(binary.Left, scope);
        string right = Value(binary.Right, scope);
        return binary.Kind() switch
        {
            SyntaxKind.AddExpression => $"DynamicNumbers.Add({left}, {right})",
            SyntaxKind.SubtractExpression => $"DynamicNumbers.Subtract({left}, {right})",
            SyntaxKind.MultiplyExpression => $"{CodeParts.Mark(binary)}DynamicNumbers.Multiply({left}, {right})",
            SyntaxKind.DivideExpression => $"{CodeParts.Mark(binary)}DynamicNumbers.Divide({left}, {right})",
            SyntaxKind.ModuloExpression => $"{CodeParts.Mark(binary)}DynamicNumbers.Remainder({left}, {right})",
            SyntaxKind.BitwiseAndExpression => $"DynamicNumbers.BitAnd({left}, {right})",
            SyntaxKind.BitwiseOrExpression => $"DynamicNumbers.BitOr({left}, {right})",
            SyntaxKind.CoalesceExpression => $"DynamicLogic.Coalesce({left}, () => {right})",
            _ => throw MapSyntaxException.At(
                binary.OperatorToken.Parent!, $"The operator '{binary.OperatorToken.Text}' is not supported."),
        };
    }

    private string? Comparison(BinaryExpressionSyntax binary, Scope scope)
    {
        switch (binary.Kind())
        {
            case SyntaxKind.LogicalAndExpression:
                return $"({Condition(binary.Left, scope)} && {Condition(binary.Right, scope)})";
            case SyntaxKind.LogicalOrExpression:
                return $"({Condition(binary.Left, scope)} || {Condition(binary.Right, scope)})";
            case SyntaxKind.IsExpression:
                return $"DynamicLogic.IsOfType({Value(binary.Left, scope)}, "
                    + $"{CodeParts.Quote(binary.Right.ToString().TrimEnd('?'))})";
            default:
                return CompareCode(binary, scope);
        }
    }

    private string? CompareCode(BinaryExpressionSyntax binary, Scope scope)
    {
        string? format = binary.Kind() switch
        {
            SyntaxKind.EqualsExpression => "DynamicLogic.IsEqual({0}, {1})",
            SyntaxKind.NotEqualsExpression => "!DynamicLogic.IsEqual({0}, {1})",
            SyntaxKind.LessThanExpression => "DynamicLogic.IsLess({0}, {1})",
            SyntaxKind.LessThanOrEqualExpression => "DynamicLogic.IsLessOrEqual({0}, {1})",
            SyntaxKind.GreaterThanExpression => "DynamicLogic.IsLess({1}, {0})",
            SyntaxKind.GreaterThanOrEqualExpression => "DynamicLogic.IsLessOrEqual({1}, {0})",
            _ => null,
        };
        return format is null ? null : format
            .Replace("{0}", Value(binary.Left, scope), StringComparison.Ordinal)
            .Replace("{1}", Value(binary.Right, scope), StringComparison.Ordinal);
    }

    private string Prefix(PrefixUnaryExpressionSyntax unary, Scope scope) => unary.Kind() switch
    {
        SyntaxKind.LogicalNotExpression => Truth(Condition(unary, scope)),
        SyntaxKind.UnaryMinusExpression =>
            $"{CodeParts.Mark(unary)}DynamicNumbers.Negate({Value(unary.Operand, scope)})",
        SyntaxKind.UnaryPlusExpression => Value(unary.Operand, scope),
        _ => throw MapSyntaxException.At(unary, $"The operator '{unary.OperatorToken.Text}' is not supported."),
    };

    private string Pattern(string value, PatternSyntax pattern, Scope scope) => pattern switch
    {
        ConstantPatternSyntax constant when NameOf(constant.Expression) is { } name
            && AllowedMethods.TypeOf(name) is not null =>
            $"DynamicLogic.IsOfType({value}, {CodeParts.Quote(name)})",
        ConstantPatternSyntax constant => $"DynamicLogic.IsEqual({value}, {Value(constant.Expression, scope)})",
        TypePatternSyntax type =>
            $"DynamicLogic.IsOfType({value}, {CodeParts.Quote(type.Type.ToString())})",
        ParenthesizedPatternSyntax inner => Pattern(value, inner.Pattern, scope),
        UnaryPatternSyntax not => $"!{Pattern(value, not.Pattern, scope)}",
        BinaryPatternSyntax both => $"({Pattern(value, both.Left, scope)} "
            + $"{(both.OperatorToken.IsKind(SyntaxKind.OrKeyword) ? "||" : "&&")} {Pattern(value, both.Right, scope)})",
        _ => throw MapSyntaxException.At(pattern, $"The pattern '{Shorten(pattern)}' is not supported in an index."),
    };
}
