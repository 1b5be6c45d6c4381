using System.Linq.Expressions;
using System.Reflection;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Queries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>Fields and values of a query: what is read from a document, and what the caller gave.</summary>
internal sealed class FieldTranslator(RqlBuilder rql, DocumentConventions conventions, bool isNested = false)
{
    /// <summary>The same for what is inside of a document, which has properties and no id of its own.</summary>
    internal FieldTranslator Nested => new(rql, conventions, isNested: true);

    /// <summary>The field of an expression over the document.</summary>
    /// <exception cref="NotSupportedException">It is none; names it.</exception>
    internal string PathOf(Expression expression)
    {
        Expression inner = Strip(expression);
        if (!isNested && inner is MemberExpression { Expression: ParameterExpression owner } identity
            && conventions.Serializer.IdentityOf(owner.Type)?.Name == identity.Member.Name)
        {
            return "id()";
        }

        if (inner is MethodCallExpression call && MetadataPathOf(call) is { } metadata)
        {
            return metadata;
        }

        return inner is MemberExpression { Member.Name: "Value", Expression: { } nullable }
            && Nullable.GetUnderlyingType(nullable.Type) != null
                ? PathOf(nullable)
                : RqlBuilder.Field(MemberPath.Of(inner, conventions.Serializer.NameOf));
    }

    /// <summary>The field that a function of <see cref="RavenQuery"/> stands for; null where it is none.</summary>
    private static string? MetadataPathOf(MethodCallExpression call) => call switch
    {
        { Method.Name: nameof(RavenQuery.Id), Arguments: [ParameterExpression] } when IsHelper(call) => "id()",
        {
            Method.Name: "get_Item" or "GetString" or "GetLong" or "GetDouble" or "GetBoolean",
            Object: MethodCallExpression { Method.Name: nameof(RavenQuery.Metadata), Arguments: [{ } owner] } of,
            Arguments: [{ } key],
        } when IsHelper(of) && Strip(owner) is ParameterExpression =>
            RqlBuilder.Field($"@metadata.{Evaluate(key)}"),
        _ => null,
    };

    internal static bool IsHelper(MethodCallExpression call) => call.Method.DeclaringType == typeof(RavenQuery);

    /// <summary>The name that a member has in documents and in results.</summary>
    internal string NameOf(MemberInfo member) => conventions.Serializer.NameOf(member);

    /// <summary>What an expression makes an object of, by name.</summary>
    /// <exception cref="NotSupportedException">It makes no object of named values.</exception>
    internal IEnumerable<(string Name, Expression Value)> MembersOf(Expression body) => body switch
    {
        NewExpression { Members: { } members } made =>
            members.Zip(made.Arguments, (member, value) => (NameOf(member), value)),
        MemberInitExpression { NewExpression.Arguments.Count: 0 } made =>
            made.Bindings.Select(binding => binding is MemberAssignment assigned
                ? (NameOf(assigned.Member), assigned.Expression)
                : throw new NotSupportedException($"'{binding}' is no assignment of a value.")),
        _ => throw new NotSupportedException($"'{body}' makes no object of named values."),
    };

    /// <summary>Whether an expression reads the document.</summary>
    internal static bool ReadsDocument(Expression expression)
    {
        var finder = new ParameterFinder();
        finder.Visit(expression);
        return finder.IsFound;
    }

    /// <summary>The parameter of a value that the caller gave.</summary>
    /// <param name="expression">The value; it reads no document.</param>
    /// <param name="other">What it is compared with, which says whether a number is a name of an enumeration.</param>
    internal string ValueOf(Expression expression, Expression other)
    {
        if (CompareExchangeOf(expression) is { } key)
        {
            return $"cmpxchg({rql.Parameter(Evaluate(key))})";
        }

        if (ReadsDocument(expression))
        {
            throw new NotSupportedException(
                $"'{expression}' reads the document: a field can be compared with a value only, not with a field.");
        }

        object? value = Evaluate(expression);
        Type type = Strip(other).Type;
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (value != null && type.IsEnum && !value.GetType().IsEnum)
        {
            value = Enum.ToObject(type, value);
        }

        return value is null ? "null" : rql.Parameter(value);
    }

    internal string Parameter(object? value) => rql.Parameter(value);

    /// <summary>The key where an expression is the value of a compare-exchange key; null where it is none.</summary>
    internal static Expression? CompareExchangeOf(Expression expression) =>
        Strip(expression) is MethodCallExpression { Method.Name: nameof(RavenQuery.CmpXchg), Arguments: [{ } key] } call
        && IsHelper(call) ? key : null;

    /// <summary>The value of an expression that reads no document.</summary>
    internal static object? Evaluate(Expression expression) => expression switch
    {
        ConstantExpression constant => constant.Value,
        MemberExpression { Member: FieldInfo field } member =>
            field.GetValue(member.Expression is null ? null : Evaluate(member.Expression)),
        MemberExpression { Member: PropertyInfo property } member =>
            property.GetValue(member.Expression is null ? null : Evaluate(member.Expression)),
        _ => Expression.Lambda(expression).Compile(preferInterpretation: true).DynamicInvoke(),
    };

    /// <summary>Whether documents have a field as a name of an enumeration.</summary>
    internal bool IsEnumName(Expression field)
    {
        Type type = Strip(field).Type;
        return !conventions.SaveEnumsAsIntegers && (Nullable.GetUnderlyingType(type) ?? type).IsEnum;
    }

    /// <summary>How values of a type are ordered.</summary>
    internal string OrderSuffix(Type type)
    {
        Type plain = Nullable.GetUnderlyingType(type) ?? type;
        return plain.IsEnum && !conventions.SaveEnumsAsIntegers ? "" : Type.GetTypeCode(plain) switch
        {
            TypeCode.Byte or TypeCode.SByte or TypeCode.Int16 or TypeCode.UInt16 or TypeCode.Int32 or TypeCode.UInt32
                or TypeCode.Int64 or TypeCode.UInt64 => " as long",
            TypeCode.Single or TypeCode.Double or TypeCode.Decimal => " as double",
            _ => "",
        };
    }

    internal static Expression Strip(Expression expression)
    {
        while (expression is UnaryExpression { NodeType: ExpressionType.Convert or ExpressionType.Quote } unary)
        {
            expression = unary.Operand;
        }

        return expression;
    }

    private sealed class ParameterFinder : ExpressionVisitor
    {
        internal bool IsFound { get; private set; }

        protected override Expression VisitParameter(ParameterExpression node)
        {
            IsFound = true;
            return node;
        }

        /// <summary>What only the server knows is read there, too.</summary>
        protected override Expression VisitMethodCall(MethodCallExpression node)
        {
            IsFound |= IsHelper(node);
            return base.VisitMethodCall(node);
        }
    }
}
