using System.Collections;
using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session.TimeSeries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>Translates a predicate on entries of a time series to the condition of its query.</summary>
/// <param name="fields">Names and values.</param>
/// <param name="names">The names of members in documents.</param>
/// <param name="entry">The entry.</param>
/// <param name="tag">The document that its tag names; null if none is loaded.</param>
internal sealed class SeriesConditionTranslator(
    FieldTranslator fields, Func<MemberInfo, string> names, ParameterExpression entry, ParameterExpression? tag)
{
    /// <summary>The name that a query gives the documents that tags name.</summary>
    internal const string TagAlias = "tagged";

    /// <exception cref="NotSupportedException">A part cannot be translated; the message names it.</exception>
    internal string Translate(Expression expression)
    {
        Expression body = FieldTranslator.Strip(expression);
        if (!FieldTranslator.ReadsDocument(body) && body.Type == typeof(bool))
        {
            return FieldTranslator.Evaluate(body) is true ? "true" : "false";
        }

        return body switch
        {
            BinaryExpression { NodeType: ExpressionType.AndAlso or ExpressionType.And } both =>
                $"({Translate(both.Left)} and {Translate(both.Right)})",
            BinaryExpression { NodeType: ExpressionType.OrElse or ExpressionType.Or } either =>
                $"({Translate(either.Left)} or {Translate(either.Right)})",
            UnaryExpression { NodeType: ExpressionType.Not } not => $"(true and not ({Translate(not.Operand)}))",
            BinaryExpression binary => Compare(binary),
            MethodCallExpression call => In(call),
            MemberExpression { Member.Name: "HasValue", Expression: { } nullable }
                when Nullable.GetUnderlyingType(nullable.Type) != null => $"{PathOf(nullable)} != null",
            MemberExpression member when member.Type == typeof(bool) => $"{PathOf(member)} = true",
            _ => throw Refuse(body, "it is no condition on an entry"),
        };
    }

    /// <summary>A field of the document that the tag of an entry names; the tag itself, if it is its id.</summary>
    internal static string PathOf(
        FieldTranslator fields, Func<MemberInfo, string> names, Expression field, ParameterExpression tag)
    {
        Expression read = fields.Read(field);
        if (fields.IsIdentity(read))
        {
            return "Tag";
        }

        string path = MemberPath.Of(read, names, tag);
        string whole = $"{TagAlias}.{path}";
        return path.Length > 0 && RqlBuilder.Field(whole) == whole
            ? whole
            : throw Refuse(field, "it is no plain field of the document that the tag names");
    }

    private static NotSupportedException Refuse(Expression expression, string why) =>
        new($"'{expression}' cannot be translated: {why}.");

    private static string Operator(BinaryExpression binary, bool isTurned) => (binary.NodeType, isTurned) switch
    {
        (ExpressionType.Equal, _) => "=",
        (ExpressionType.NotEqual, _) => "!=",
        (ExpressionType.LessThan, false) or (ExpressionType.GreaterThan, true) => "<",
        (ExpressionType.LessThanOrEqual, false) or (ExpressionType.GreaterThanOrEqual, true) => "<=",
        (ExpressionType.GreaterThan, false) or (ExpressionType.LessThan, true) => ">",
        (ExpressionType.GreaterThanOrEqual, false) or (ExpressionType.LessThanOrEqual, true) => ">=",
        _ => throw Refuse(binary, "it compares nothing"),
    };

    private string Compare(BinaryExpression binary)
    {
        bool isTurned = !FieldTranslator.ReadsDocument(binary.Left);
        Expression field = fields.ReadCompared(isTurned ? binary.Right : binary.Left);
        Expression other = isTurned ? binary.Left : binary.Right;
        string operation = Operator(binary, isTurned);
        if (operation is not ("=" or "!=") && fields.OrderProblemOf(field.Type) is { } problem)
        {
            throw Refuse(binary, problem);
        }

        string path = PathOf(field);
        string value = FieldTranslator.ReadsDocument(other)
            ? PathOf(fields.ReadCompared(other))
            : ValueOf(FieldTranslator.Evaluate(other), field, binary);
        return value == "null" && operation is not ("=" or "!=") ? "false" : $"{path} {operation} {value}";
    }

    /// <summary>A call that asks whether a list has a value of the entry.</summary>
    private string In(MethodCallExpression call)
    {
        Expression[] parts = [.. call.Object is null ? [] : new[] { call.Object }, .. call.Arguments];
        bool isContains = call.Method.Name == "Contains" && parts.Length == 2;
        if (!isContains && (call.Method.Name != "In" || parts.Length != 2))
        {
            throw Refuse(call, "the server has no such function of entries");
        }

        Expression list = ConditionTranslator.Unspan(FieldTranslator.Strip(parts[isContains ? 0 : 1]));
        Expression field = fields.ReadCompared(parts[isContains ? 1 : 0]);
        if (FieldTranslator.ReadsDocument(list) || FieldTranslator.Evaluate(list) is not IEnumerable items
            || items is string)
        {
            throw Refuse(call, "it is no list of values");
        }

        object?[] values = [.. items.Cast<object?>().Select(item => Converted(item, field, call))];
        return $"{PathOf(field)} in ({fields.Parameter(values)})";
    }

    private string ValueOf(object? value, Expression field, Expression whole) =>
        Converted(value, field, whole) is { } converted ? fields.Parameter(converted) : "null";

    private object? Converted(object? value, Expression field, Expression whole) => value is DateTime time
        && IsOfEntry(field, nameof(TimeSeriesEntry.Timestamp))
            ? SeriesTime.TextOf(time)
            : FieldTranslator.Convert(value, field.Type, whole);

    /// <summary>What an expression reads of an entry, or of the document that its tag names.</summary>
    private string PathOf(Expression expression)
    {
        Expression read = fields.Read(expression);
        if (IsOfEntry(read, nameof(TimeSeriesEntry.Tag)))
        {
            return "Tag";
        }

        if (IsOfEntry(read, nameof(TimeSeriesEntry.Timestamp)))
        {
            return "Timestamp";
        }

        if (IsOfEntry(read, nameof(TimeSeriesEntry.Value)) && read.Type == typeof(double))
        {
            return "Value";
        }

        if (read is MemberExpression { Expression: { } owner } member
            && IsOfEntry(owner, nameof(TimeSeriesEntry.Value))
            && TimeSeriesValues.IndexOf(member.Member) is { } named)
        {
            return string.Create(CultureInfo.InvariantCulture, $"Values[{named}]");
        }

        if (read is BinaryExpression { NodeType: ExpressionType.ArrayIndex } item
            && IsOfEntry(item.Left, nameof(TimeSeriesEntry.Values)) && !FieldTranslator.ReadsDocument(item.Right)
            && FieldTranslator.Evaluate(item.Right) is int index and >= 0)
        {
            return string.Create(CultureInfo.InvariantCulture, $"Values[{index}]");
        }

        return tag != null && RootOf(read) == tag
            ? PathOf(fields, names, read, tag)
            : throw Refuse(expression, "of an entry Tag, Timestamp, Value and Values[i] are known, and of what "
                + "LoadByTag loads its fields");
    }

    private bool IsOfEntry(Expression expression, string name) =>
        expression is MemberExpression { Expression: ParameterExpression owner } member && owner == entry
        && member.Member.Name == name;

    private static Expression? RootOf(Expression expression)
    {
        Expression? root = expression;
        while (root is MemberExpression member)
        {
            root = member.Expression is { } owner ? FieldTranslator.Strip(owner) : null;
        }

        return root;
    }
}
