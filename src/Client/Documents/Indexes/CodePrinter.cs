using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Linq;

namespace Raven.Client.Documents.Indexes;

/// <summary>
/// Prints an expression as the C# that the server compiles, with the methods that the application's compiler chose. A
/// captured value is printed as its value; a property by its name in JSON.
/// </summary>
internal sealed class CodePrinter
{
    private readonly DocumentConventions _conventions;
    private readonly HashSet<Type> _documents;
    private readonly Dictionary<ParameterExpression, string> _names;

    internal CodePrinter(
        DocumentConventions conventions, HashSet<Type> documents, Dictionary<ParameterExpression, string> names)
    {
        _conventions = conventions;
        _documents = documents;
        _names = names;
    }

    /// <summary>Whether a method is one that maps of indexes can call, such as <c>LoadDocument</c>.</summary>
    internal static bool IsOfIndex(MethodInfo method) => method.DeclaringType is { IsGenericType: true } type
        && type.GetGenericTypeDefinition() == typeof(AbstractGenericIndexCreationTask<>);

    /// <exception cref="NotSupportedException">A part cannot be written as C#; the message names it.</exception>
    internal string Print(Expression expression)
    {
        if (expression is not (LambdaExpression or NewExpression { Members: not null } or MemberInitExpression)
            && !FieldTranslator.ReadsDocument(expression) && TryPrintValue(expression) is { } value)
        {
            return value;
        }

        return expression switch
        {
            ParameterExpression parameter => NameOf(parameter),
            LambdaExpression lambda => Lambda(lambda),
            MemberExpression member => Member(member),
            MethodCallExpression call => Call(call),
            UnaryExpression unary => Unary(unary),
            BinaryExpression { NodeType: ExpressionType.ArrayIndex } array =>
                $"{Print(array.Left)}[{Print(array.Right)}]",
            BinaryExpression binary => Binary(binary),
            ConditionalExpression choice =>
                $"({Print(choice.Test)} ? {Print(choice.IfTrue)} : {Print(choice.IfFalse)})",
            NewExpression { Members: { } members } made => Object(members.Zip(made.Arguments)),
            MemberInitExpression { NewExpression.Arguments.Count: 0 } made => Object(made.Bindings.Select(binding =>
                binding is MemberAssignment assigned ? (assigned.Member, assigned.Expression) : throw Refuse(made))),
            NewArrayExpression { NodeType: ExpressionType.NewArrayInit } array =>
                $"new[] {{ {string.Join(", ", array.Expressions.Select(Print))} }}",
            NewExpression made when made.Type == typeof(DateTime) || made.Type == typeof(TimeSpan) =>
                $"new {made.Type.Name}({string.Join(", ", made.Arguments.Select(Print))})",
            _ => throw Refuse(expression),
        };
    }

    private static NotSupportedException Refuse(Expression expression) =>
        new($"'{expression}' cannot be written as the map or reduce of an index.");

    /// <summary>A compiler-generated name, such as that of the object behind <c>let</c>, made valid in C#.</summary>
    private static string Clean(string? name) => string.IsNullOrEmpty(name) ? "_"
        : IsWord(name) ? name
        : string.Concat(name.Select(c => char.IsLetterOrDigit(c) || c == '_' ? c : '_'));

    private static bool IsWord(string name) => name.All(c => char.IsLetterOrDigit(c) || c == '_');

    /// <summary>Whether C# can name a property; compiler-generated names are made valid.</summary>
    private static bool IsNamed(string property) =>
        IsWord(property) || property.Contains('<', StringComparison.Ordinal);

    /// <summary>Access to a property of a value, by its name or, if C# cannot name it, as in a dictionary.</summary>
    private static string Reached(string property) =>
        IsNamed(property) ? $".{Clean(property)}" : $"[{CodeText.Literal(property)}]";

    /// <summary>The text of an expression that reads no document; null if it is no plain value.</summary>
    private string? TryPrintValue(Expression expression)
    {
        if (expression is MethodCallExpression call && IsOfIndex(call.Method))
        {
            return null;
        }

        new ClockFinder().Visit(expression);
        object? value = FieldTranslator.Evaluate(expression);
        return value is System.Collections.IEnumerable list and not string
            ? ListOf(list)
            : CodeText.Of(value, _conventions.SaveEnumsAsIntegers);
    }

    private string? ListOf(System.Collections.IEnumerable list)
    {
        string?[] items =
            [.. list.Cast<object?>().Select(item => CodeText.Of(item, _conventions.SaveEnumsAsIntegers))];
        return items.Contains(null) ? null : $"new[] {{ {string.Join(", ", items)} }}";
    }

    private string NameOf(ParameterExpression parameter)
    {
        if (!_names.TryGetValue(parameter, out string? name))
        {
            name = Clean(parameter.Name);
            while (_names.ContainsValue(name))
            {
                name += "_";
            }

            _names.Add(parameter, name);
        }

        return name;
    }

    private string Lambda(LambdaExpression lambda)
    {
        string[] names = [.. lambda.Parameters.Select(NameOf)];
        string body = Print(lambda.Body);
        foreach (ParameterExpression parameter in lambda.Parameters)
        {
            _names.Remove(parameter);
        }

        return names is [{ } only] ? $"{only} => {body}" : $"({string.Join(", ", names)}) => {body}";
    }

    private string Member(MemberExpression member)
    {
        if (member.Expression is not { } owner)
        {
            throw Refuse(member);
        }

        bool isNullable = Nullable.GetUnderlyingType(owner.Type) != null;
        return member.Member.Name switch
        {
            "Value" when isNullable => Print(owner),
            "HasValue" when isNullable => $"({Print(owner)} != null)",
            _ when _documents.Contains(owner.Type)
                && _conventions.Serializer.IdentityOf(owner.Type)?.Name == member.Member.Name => $"Id({Print(owner)})",
            _ => Print(owner) + Reached(_conventions.Serializer.NameOf(member.Member)),
        };
    }

    private string Unary(UnaryExpression unary)
    {
        string operand = Print(unary.Operand);
        switch (unary.NodeType)
        {
            case ExpressionType.Not:
                return $"!({operand})";
            case ExpressionType.Negate or ExpressionType.NegateChecked:
                return $"-({operand})";
            case ExpressionType.ArrayLength:
                return $"{operand}.Length";
            case ExpressionType.Quote or ExpressionType.TypeAs:
                return operand;
            case ExpressionType.Convert or ExpressionType.ConvertChecked:
                return CastOf(unary) is { } cast ? $"(({cast}){operand})" : operand;
            default:
                throw Refuse(unary);
        }
    }

    /// <summary>The cast that a conversion needs; null if it needs none.</summary>
    private static string? CastOf(UnaryExpression unary)
    {
        Type from = unary.Operand.Type;
        Type to = unary.Type;
        if (Nullable.GetUnderlyingType(to) != null || Nullable.GetUnderlyingType(from) != null || from.IsEnum
            || to.IsEnum)
        {
            return null;
        }

        return Type.GetTypeCode(to) switch
        {
            TypeCode.Byte or TypeCode.SByte or TypeCode.Int16 or TypeCode.UInt16 or TypeCode.Int32 => "int",
            TypeCode.UInt32 or TypeCode.Int64 or TypeCode.UInt64 => "long",
            TypeCode.Single or TypeCode.Double => "double",
            TypeCode.Decimal => "decimal",
            TypeCode.String => "string",
            TypeCode.Boolean => "bool",
            TypeCode.DateTime => "DateTime",
            _ => null,
        };
    }

    private string Binary(BinaryExpression binary)
    {
        string operation = binary.NodeType switch
        {
            ExpressionType.Add or ExpressionType.AddChecked => "+",
            ExpressionType.Subtract or ExpressionType.SubtractChecked => "-",
            ExpressionType.Multiply or ExpressionType.MultiplyChecked => "*",
            ExpressionType.Divide => "/",
            ExpressionType.Modulo => "%",
            ExpressionType.Equal => "==",
            ExpressionType.NotEqual => "!=",
            ExpressionType.LessThan => "<",
            ExpressionType.LessThanOrEqual => "<=",
            ExpressionType.GreaterThan => ">",
            ExpressionType.GreaterThanOrEqual => ">=",
            ExpressionType.AndAlso or ExpressionType.And => "&&",
            ExpressionType.OrElse or ExpressionType.Or => "||",
            ExpressionType.Coalesce => "??",
            _ => throw Refuse(binary),
        };
        if (binary.NodeType is ExpressionType.And or ExpressionType.Or && binary.Type != typeof(bool))
        {
            throw Refuse(binary);
        }

        return $"({Side(binary.Left, binary.Right)} {operation} {Side(binary.Right, binary.Left)})";
    }

    /// <summary>
    /// One side of a comparison. The compiler turns enumerations into numbers; documents have their names.
    /// </summary>
    private string Side(Expression side, Expression other)
    {
        Type type = FieldTranslator.Strip(other).Type;
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type.IsEnum && !FieldTranslator.ReadsDocument(side) && FieldTranslator.Evaluate(side) is { } value)
        {
            return CodeText.Of(
                value is Enum ? value : Enum.ToObject(type, value), _conventions.SaveEnumsAsIntegers)!;
        }

        return Print(side);
    }

    private string Object(IEnumerable<(MemberInfo Member, Expression Value)> members)
    {
        (string Name, string Value)[] parts =
            [.. members.Select(pair => (_conventions.Serializer.NameOf(pair.Member), Print(pair.Value)))];
        return Array.TrueForAll(parts, part => IsNamed(part.Name))
            ? $"new {{ {string.Join(", ", parts.Select(part => $"{Clean(part.Name)} = {part.Value}"))} }}"
            : "new Dictionary<string, object> { "
                + string.Join(", ", parts.Select(part => $"[{CodeText.Literal(part.Name)}] = {part.Value}")) + " }";
    }

    [UnconditionalSuppressMessage("Trimming", "IL2067:UnrecognizedReflectionPattern",
        Justification = "Values that have a text have no constructor without parameters that could be missing.")]
    private static object? DefaultOf(Type value) => Activator.CreateInstance(value);

    private string Call(MethodCallExpression call)
    {
        MethodInfo method = call.Method;
        if (IsOfIndex(method))
        {
            return OfIndex(call);
        }

        if (method.Name == "GetValueOrDefault" && Nullable.GetUnderlyingType(call.Object?.Type!) is { } plain)
        {
            string otherwise = call.Arguments.Count > 0 ? Print(call.Arguments[0])
                : CodeText.Of(DefaultOf(plain), _conventions.SaveEnumsAsIntegers) ?? throw Refuse(call);
            return $"({Print(call.Object!)} ?? {otherwise})";
        }

        if (method is { Name: "get_Item" or "get_Chars" } && call.Object is { } owner)
        {
            return $"{Print(owner)}[{Print(call.Arguments[0])}]";
        }

        bool isExtension = method.IsDefined(typeof(System.Runtime.CompilerServices.ExtensionAttribute), false);
        if (call.Object is null && !isExtension)
        {
            return $"{TypeOf(method)}.{method.Name}({Arguments(call.Arguments)})";
        }

        Expression target = call.Object ?? call.Arguments[0];
        return $"{Print(target)}.{method.Name}({Arguments(call.Arguments.Skip(call.Object is null ? 1 : 0))})";
    }

    private static string TypeOf(MethodInfo method) => method.DeclaringType switch
    {
        { } type when type == typeof(string) => "string",
        { } type when type == typeof(int) => "int",
        { } type when type == typeof(long) => "long",
        { } type when type == typeof(double) => "double",
        { } type when type == typeof(decimal) => "decimal",
        { } type => type.Name,
        null => throw new NotSupportedException($"'{method}' has no type."),
    };

    private string OfIndex(MethodCallExpression call)
    {
        string arguments = Arguments(call.Arguments);
        if (call.Method.Name == "LoadDocument")
        {
            string collection = _conventions.GetCollectionName(call.Method.GetGenericArguments()[0]);
            return $"LoadDocument({arguments}, {CodeText.Literal(collection)})";
        }

        return $"{call.Method.Name}({arguments})";
    }

    private string Arguments(IEnumerable<Expression> arguments) => string.Join(", ", arguments.Select(Print));

    /// <summary>Refuses expressions whose value differs at each call.</summary>
    private sealed class ClockFinder : ExpressionVisitor
    {
        protected override Expression VisitMember(MemberExpression node)
        {
            Check(node, node.Member);
            return base.VisitMember(node);
        }

        protected override Expression VisitMethodCall(MethodCallExpression node)
        {
            Check(node, node.Method);
            return base.VisitMethodCall(node);
        }

        private static void Check(Expression node, MemberInfo member)
        {
            if (member.Name is "Now" or "UtcNow" or "Today" or "NewGuid"
                && (member.DeclaringType == typeof(DateTime) || member.DeclaringType == typeof(DateTimeOffset)
                    || member.DeclaringType == typeof(Guid)))
            {
                throw new NotSupportedException(
                    $"'{node}' would be what it is now for ever: an index is made of its documents alone. Compare with "
                    + "the time in the query.");
            }
        }
    }
}
