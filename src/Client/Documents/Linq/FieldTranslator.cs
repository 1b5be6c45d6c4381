using System.Linq.Expressions;
using System.Reflection;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Queries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Translates the fields and values of a query: what is read from a document, and what the caller gave.
/// </summary>
/// <param name="rql">Receives the values.</param>
/// <param name="conventions">Names, and how enumerations are kept.</param>
/// <param name="list">The path of the list that the fields are in, with its brackets; empty for the document.</param>
/// <param name="item">The item of that list; null for the document.</param>
internal sealed class FieldTranslator(
    RqlBuilder rql, DocumentConventions conventions, string list = "", ParameterExpression? item = null)
{
    /// <summary>Whether the fields are those of an item of a list, which has properties and no id of its own.</summary>
    internal bool IsNested => item != null;

    /// <summary>The functions that a projection declares for the time series that it computes with.</summary>
    internal List<string> Declared { get; } = [];

    private bool EnumsAreNumbers => conventions.SaveEnumsAsIntegers;

    /// <summary>A translator for the items of a list.</summary>
    internal FieldTranslator ItemsOf(Expression items, ParameterExpression parameter) =>
        new(rql, conventions, PlainPathOf(Read(items)) + "[]", parameter);

    /// <summary>The field of an expression over the document.</summary>
    /// <exception cref="NotSupportedException">
    /// The expression is no field, or is converted to a value that the server does not compare with; the
    /// message names it.
    /// </exception>
    internal string PathOf(Expression expression)
    {
        Expression inner = Read(expression);
        if (Conversions.Is(inner))
        {
            throw new NotSupportedException(
                $"'{inner}' cannot be translated: the conversion makes another value of the field, and the server "
                + "compares the one that the document has.");
        }

        if (!IsNested && IsIdentity(inner))
        {
            return "id()";
        }

        if (!IsNested && inner is MethodCallExpression call && MetadataPathOf(call) is { } metadata)
        {
            return metadata;
        }

        if (PathAdvice.For(inner) is { } advice)
        {
            throw new NotSupportedException($"'{inner}' cannot be translated: {advice}.");
        }

        return inner is MemberExpression { Member.Name: "Value", Expression: { } nullable }
            && Nullable.GetUnderlyingType(nullable.Type) != null
                ? PathOf(nullable)
                : RqlBuilder.Field(PlainPathOf(inner));
    }

    /// <summary>Whether an expression is the id of a document.</summary>
    internal bool IsIdentity(Expression expression) => expression is MemberExpression { Expression: { } of } identity
        && Strip(of) is ParameterExpression owner
        && conventions.Serializer.IdentityOf(owner.Type)?.Name == identity.Member.Name;

    /// <summary>The expression that is read, without conversions that keep its value.</summary>
    internal Expression Read(Expression expression) => Conversions.Read(expression, EnumsAreNumbers);

    /// <summary>
    /// The expression that is read to be compared: <see cref="ValueOf"/> makes a value of its type of the other side.
    /// </summary>
    internal Expression ReadCompared(Expression expression) => Conversions.ReadCompared(expression, EnumsAreNumbers);

    /// <summary>
    /// Why values of a type have an order in documents that differs from that of C#; null if it is the same.
    /// </summary>
    internal string? OrderProblemOf(Type type)
    {
        Type plain = Conversions.PlainOf(type);
        if (plain.IsEnum && !EnumsAreNumbers)
        {
            return "documents have enumerations by name, and names have the order of the alphabet; list those that "
                + "are meant with In, or set DocumentConventions.SaveEnumsAsIntegers";
        }

        return plain == typeof(TimeSpan)
            ? "documents have spans of time as texts, and ten days come before two in their order; keep the ticks"
            : plain == typeof(DateTimeOffset) ? OffsetProblem
            : plain.IsPrimitive || Type.GetTypeCode(plain) != TypeCode.Object || !plain.IsValueType
                || plain == typeof(Guid) || plain == typeof(DateOnly) || plain == typeof(TimeOnly)
                ? null
                : $"the server does not know the order of {plain.Name}";
    }

    internal const string OffsetProblem =
        "documents have a DateTimeOffset as text with its offset, and the same moment has many; keep a DateTime in UTC";

    private string PlainPathOf(Expression inner)
    {
        string path = MemberPath.Of(inner, conventions.Serializer.NameOf, item);
        if (path.Replace("[]", "", StringComparison.Ordinal).Contains('[', StringComparison.Ordinal))
        {
            throw new NotSupportedException($"'{inner}' cannot be translated: an index does not know the place of an "
                + "item in its list; ask with Any for an item wherever it is.");
        }

        if (path.Length == 0 && !IsNested)
        {
            throw new NotSupportedException($"'{inner}' cannot be translated: it is the document, and no field of it.");
        }

        return list.Length == 0 ? path : path.Length == 0 ? list : $"{list}.{path}";
    }

    /// <summary>The field that a function of <see cref="RavenQuery"/> stands for; null if it is none.</summary>
    private static string? MetadataPathOf(MethodCallExpression call) => call switch
    {
        { Method.Name: nameof(RavenQuery.Id), Arguments: [{ } document] }
            when IsHelper(call) && Strip(document) is ParameterExpression => "id()",
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

    /// <summary>The named values of the object that an expression makes.</summary>
    /// <exception cref="NotSupportedException">The expression makes no object of named values.</exception>
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
    /// <param name="field">
    /// The type of the other side: it decides whether a number stands for the name of an enumeration, or for a char.
    /// </param>
    /// <param name="whole">The expression to name if it cannot be compared.</param>
    /// <param name="isOrder">Whether the comparison is by order, which the server does in doubles.</param>
    internal string ValueOf(Expression expression, Type field, Expression whole, bool isOrder = false)
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

        object? value = Convert(Evaluate(expression), field, whole);
        if (isOrder && Conversions.IsBeyondDoubles(value))
        {
            throw new NotSupportedException($"'{whole}' cannot be translated: the server finds what is more or less by "
                + "doubles, which do not tell whole numbers beyond 2^53 apart.");
        }

        return value is null ? "null" : rql.Parameter(value);
    }

    /// <summary>A value that the caller gave, as documents have it in a field of a type.</summary>
    internal static object? Convert(object? value, Type field, Expression whole)
    {
        if (value is null)
        {
            return null;
        }

        return Conversions.TryUndo(ref value, field) ? value : throw new NotSupportedException(
            $"'{whole}' cannot be translated: " + (value is DateTimeOffset ? OffsetProblem
                : "no field has a value that is compared alike; numbers are doubles to the server") + ".");
    }

    internal string Parameter(object? value) => rql.Parameter(value);

    /// <summary>The key if an expression is the value of a compare-exchange key; otherwise null.</summary>
    internal static Expression? CompareExchangeOf(Expression expression) =>
        Strip(expression) is MethodCallExpression { Method.Name: nameof(RavenQuery.CmpXchg), Arguments: [{ } key] } call
        && IsHelper(call) ? key : null;

    /// <summary>The value of an expression that reads no document.</summary>
    /// <exception cref="NotSupportedException">The expression has no value; the message names it.</exception>
    internal static object? Evaluate(Expression expression)
    {
        try
        {
            return ValueIn(expression);
        }
        catch (Exception e) when (e is not NotSupportedException)
        {
            Exception cause = e is TargetInvocationException { InnerException: { } inner } ? inner : e;
            throw new NotSupportedException(
                $"'{expression}' has no value to send to the server: {cause.Message}", cause);
        }
    }

    private static object? ValueIn(Expression expression) => expression switch
    {
        ConstantExpression constant => constant.Value,
        MemberExpression { Member: FieldInfo field } member => field.GetValue(OwnerOf(member)),
        MemberExpression { Member: PropertyInfo property } member
            when member.Expression is null || Nullable.GetUnderlyingType(member.Expression.Type) is null =>
            property.GetValue(OwnerOf(member)),
        _ => Expression.Lambda(expression).Compile(preferInterpretation: true).DynamicInvoke(),
    };

    private static object? OwnerOf(MemberExpression member) => member.Expression is null
        ? null
        : ValueIn(member.Expression) ?? throw new InvalidOperationException($"'{member.Expression}' is null.");

    /// <summary>The suffix of an order by a field: how its values are compared.</summary>
    internal string OrderSuffix(Expression key)
    {
        Type plain = Conversions.PlainOf(Read(key).Type);
        return plain.IsEnum && !EnumsAreNumbers ? "" : Type.GetTypeCode(plain) switch
        {
            TypeCode.Byte or TypeCode.SByte or TypeCode.Int16 or TypeCode.UInt16 or TypeCode.Int32 or TypeCode.UInt32
                or TypeCode.Int64 or TypeCode.UInt64 => " as long",
            TypeCode.Single or TypeCode.Double or TypeCode.Decimal => " as double",
            _ => "",
        };
    }

    /// <summary>An expression without any of its conversions.</summary>
    internal static Expression Strip(Expression expression)
    {
        while (expression is UnaryExpression unary
            && (unary.NodeType == ExpressionType.Quote || Conversions.Is(unary)))
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

        /// <summary>A call whose value only the server has counts as a read of the document.</summary>
        protected override Expression VisitMethodCall(MethodCallExpression node)
        {
            IsFound |= IsHelper(node);
            return base.VisitMethodCall(node);
        }
    }
}
