using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>Writes the code of objects, arrays and texts that maps make.</summary>
internal sealed class RecordWriter(ExpressionWriter expressions)
{
    private readonly ExpressionWriter _expressions = expressions;

    /// <summary>
    /// The names and values of an object: of an anonymous type, or of a named type with an initializer.
    /// </summary>
    internal static List<(string Name, ExpressionSyntax Value)>? Properties(ExpressionSyntax node) => node switch
    {
        ParenthesizedExpressionSyntax inner => Properties(inner.Expression),
        AnonymousObjectCreationExpressionSyntax record =>
            [.. record.Initializers.Select(part => (NameOf(part), part.Expression))],
        ObjectCreationExpressionSyntax { ArgumentList: null or { Arguments.Count: 0 }, Initializer: { } initializer }
            when initializer.Expressions.All(IsProperty) =>
            [.. initializer.Expressions.Select(PropertyOf)],
        _ => null,
    };

    internal string Write(ExpressionSyntax node, Scope scope)
    {
        if (Properties(node) is { } properties)
        {
            string names = _expressions.Parts.Names(properties.Select(property => property.Name));
            IEnumerable<string> values = properties.Select(property => _expressions.Value(property.Value, scope));
            return $"DynamicValue.Of(new DynamicRecord({names}, [{string.Join(", ", values)}]))";
        }

        return node switch
        {
            ImplicitArrayCreationExpressionSyntax array => List(array.Initializer.Expressions, scope),
            ArrayCreationExpressionSyntax { Initializer: { } initializer } => List(initializer.Expressions, scope),
            ArrayCreationExpressionSyntax => "DynamicValue.List()",
            CollectionExpressionSyntax list => List(
                list.Elements.Select(element => element is ExpressionElementSyntax one
                    ? one.Expression
                    : throw MapSyntaxException.At(element, "A spread is not supported in an index.")), scope),
            ObjectCreationExpressionSyntax created => Created(created, scope),
            _ => throw MapSyntaxException.At(
                node, $"'{ExpressionWriter.Shorten(node)}' is not supported in an index."),
        };
    }

    internal string Interpolated(InterpolatedStringExpressionSyntax text, Scope scope) =>
        $"DynamicText.Concat({string.Join(", ", text.Contents.Select(part => Part(part, scope)))})";

    private string Part(InterpolatedStringContentSyntax part, Scope scope)
    {
        if (part is InterpolatedStringTextSyntax literal)
        {
            return _expressions.Parts.Text(literal.TextToken.ValueText);
        }

        InterpolationSyntax hole = (InterpolationSyntax)part;
        string value = _expressions.Value(hole.Expression, scope);
        return hole switch
        {
            { AlignmentClause: not null } => throw MapSyntaxException.At(hole, "Use PadLeft or PadRight to align."),
            { FormatClause: { } format } =>
                $"DynamicText.Formatted({value}, {_expressions.Parts.Text(format.FormatStringToken.ValueText)})",
            _ => value,
        };
    }

    private string List(IEnumerable<ExpressionSyntax> items, Scope scope) =>
        $"DynamicValue.List({string.Join(", ", items.Select(item => _expressions.Value(item, scope)))})";

    private string Created(ObjectCreationExpressionSyntax created, Scope scope)
    {
        string type = created.Type.ToString();
        if (AllowedMethods.TypeOf(type) is "DateTime" or "DateTimeOffset" or "TimeSpan")
        {
            return Time(created, AllowedMethods.TypeOf(type)!, scope);
        }

        IEnumerable<string> arguments =
            created.ArgumentList?.Arguments.Select(one => _expressions.Value(one.Expression, scope)) ?? [];
        string values = string.Join(", ", arguments);
        string mark = CodeParts.Mark(created);
        bool isList = type.Split('<')[0].Split('.')[^1] is "List" or "HashSet" or "DynamicArray";
        return type switch
        {
            _ when isList => List(created.Initializer?.Expressions ?? [], scope),
            _ when _expressions.Parts.HasSources && created.Initializer is null =>
                $"DynamicConvert.FromObject({mark}new {type}({values}))",
            _ => throw MapSyntaxException.At(
                created, $"'{ExpressionWriter.Shorten(created)}' is not supported in an index."),
        };
    }

    /// <summary>The code of a time or a duration that a map makes by a constructor of .NET.</summary>
    private string Time(ObjectCreationExpressionSyntax created, string type, Scope scope)
    {
        List<ExpressionSyntax> parts = [.. created.ArgumentList?.Arguments.Select(one => one.Expression) ?? []];
        string? kind = type == "DateTime" && parts.Count > 0 && ExpressionWriter.NameOf(parts[^1]) is { } name
            && name.Split('.') is [.., "DateTimeKind", var said] ? said : null;
        int count = kind is null ? parts.Count : parts.Count - 1;
        bool isKnown = created.Initializer is null && (type switch
        {
            "DateTime" => kind is null ? count is 0 or 1 or 3 or 6 or 7 or 8 : count is 1 or 6 or 7 or 8,
            "TimeSpan" => count is 0 or 1 or 3 or 4 or 5 or 6,
            _ => count is 0 or 1 or 2 or 7 or 8 or 9,
        });
        if (!isKnown)
        {
            throw MapSyntaxException.At(
                created, $"'{ExpressionWriter.Shorten(created)}': there is no such constructor of {type} in an index.");
        }

        string values = string.Join(", ", parts.Take(count).Select(part => _expressions.Value(part, scope)));
        string code = CodeParts.Mark(created) + type switch
        {
            "DateTime" => $"DynamicTimes.Date({values})",
            "TimeSpan" => $"DynamicTimes.Duration({values})",
            _ => $"DynamicTimes.DateOffset({values})",
        };
        return kind is null ? code : $"DynamicDates.SpecifyKind({code}, {_expressions.Parts.Text(kind)})";
    }

    private static bool IsProperty(ExpressionSyntax part) => part switch
    {
        AssignmentExpressionSyntax { Left: IdentifierNameSyntax } => true,
        AssignmentExpressionSyntax { Left: ImplicitElementAccessSyntax { ArgumentList.Arguments: [{ } one] } } =>
            one.Expression.IsKind(SyntaxKind.StringLiteralExpression),
        InitializerExpressionSyntax { Expressions: [LiteralExpressionSyntax name, _] } =>
            name.IsKind(SyntaxKind.StringLiteralExpression),
        _ => false,
    };

    private static (string Name, ExpressionSyntax Value) PropertyOf(ExpressionSyntax part) => part switch
    {
        AssignmentExpressionSyntax { Left: IdentifierNameSyntax name } set => (name.Identifier.Text, set.Right),
        AssignmentExpressionSyntax { Left: ImplicitElementAccessSyntax key } set =>
            (((LiteralExpressionSyntax)key.ArgumentList.Arguments[0].Expression).Token.ValueText, set.Right),
        _ => (((LiteralExpressionSyntax)((InitializerExpressionSyntax)part).Expressions[0]).Token.ValueText,
            ((InitializerExpressionSyntax)part).Expressions[1]),
    };

    /// <summary>The name of a part: the given one, or that of the variable or member.</summary>
    private static string NameOf(AnonymousObjectMemberDeclaratorSyntax part) => part.NameEquals is { } given
        ? given.Name.Identifier.Text
        : part.Expression switch
        {
            IdentifierNameSyntax name => name.Identifier.Text,
            MemberAccessExpressionSyntax member => member.Name.Identifier.Text,
            ConditionalAccessExpressionSyntax access => LastName(access.WhenNotNull),
            _ => throw MapSyntaxException.At(part, "This value needs a name: Name = ..."),
        };

    private static string LastName(ExpressionSyntax node) => node switch
    {
        MemberBindingExpressionSyntax binding => binding.Name.Identifier.Text,
        MemberAccessExpressionSyntax member => member.Name.Identifier.Text,
        ConditionalAccessExpressionSyntax access => LastName(access.WhenNotNull),
        _ => throw MapSyntaxException.At(node, "This value needs a name: Name = ..."),
    };
}
