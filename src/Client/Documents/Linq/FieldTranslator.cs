using System.Linq.Expressions;
using System.Reflection;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Queries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>Fields and values of a query: what is read from a document, and what the caller gave.</summary>
internal sealed class FieldTranslator(RqlBuilder rql, DocumentConventions conventions)
{
    /// <summary>The field of an expression over the document.</summary>
    /// <exception cref="NotSupportedException">It is none; names it.</exception>
    internal string PathOf(Expression expression)
    {
        Expression inner = Strip(expression);
        if (inner is MemberExpression { Expression: ParameterExpression owner } identity
            && conventions.Serializer.IdentityOf(owner.Type)?.Name == identity.Member.Name)
        {
            return "id()";
        }

        return inner is MemberExpression { Member.Name: "Value", Expression: { } nullable }
            && Nullable.GetUnderlyingType(nullable.Type) != null
                ? PathOf(nullable)
                : RqlBuilder.Field(MemberPath.Of(inner));
    }

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

    /// <summary>How values of a type are ordered.</summary>
    internal static string OrderSuffix(Type type)
    {
        Type plain = Nullable.GetUnderlyingType(type) ?? type;
        return plain.IsEnum ? "" : Type.GetTypeCode(plain) switch
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
    }
}
