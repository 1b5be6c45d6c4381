using System.Linq.Expressions;
using Raven.Client.Documents.Queries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Translates the projection of a Select: to a list of fields if that is enough, to an object of JavaScript if
/// something is computed.
/// </summary>
internal sealed class ProjectionTranslator(FieldTranslator fields, RqlBuilder rql, LambdaExpression selector)
{
    private const string SingleName = "Value";
    internal const string Alias = "x";

    /// <summary>The field that is the result if the Select makes no object; null if it makes one.</summary>
    internal string? SingleField { get; private set; }

    internal string Translate()
    {
        (string Name, Expression Value)[] members;
        if (SeriesTranslator.IsOfResult(selector.Body))
        {
            return Field(selector.Body);
        }

        if (FieldTranslator.Strip(selector.Body) is NewExpression { Members: not null } or MemberInitExpression)
        {
            members = [.. fields.MembersOf(FieldTranslator.Strip(selector.Body))];
        }
        else
        {
            SingleField = SingleName;
            members = [(SingleName, selector.Body)];
        }

        if (members.All(member => IsField(member.Value) || SeriesTranslator.IsOfResult(member.Value)))
        {
            return string.Join(
                ", ", members.Select(member => $"{Field(member.Value)} as {RqlBuilder.Field(member.Name)}"));
        }

        rql.Alias = Alias;
        var script = new ScriptTranslator(fields, new() { [selector.Parameters[0]] = Alias });
        string made = string.Join(
            ", ", members.Select(member => $"{ScriptPath.Key(member.Name)}: {script.Translate(member.Value)}"));
        string[] whole = made.Contains(ScriptTranslator.WholeName + "(", StringComparison.Ordinal)
            ? [ScriptTranslator.WholeFunction]
            : [];
        string[] declared = [.. fields.Declared, .. whole];
        rql.Function = declared.Length == 0 ? null : string.Join(" declare ", declared);
        return "{ " + made + " }";
    }

    /// <summary>A field of the document, or a time series of it.</summary>
    private string Field(Expression value) => SeriesTranslator.IsSeries(value)
        ? $"timeseries({SeriesTranslator.Translate(fields, value, out _)})"
        : fields.PathOf(FieldTranslator.Strip(value));

    private static bool IsField(Expression expression)
    {
        Expression inner = FieldTranslator.Strip(expression);
        while (inner is MemberExpression { Expression: { } owner } member)
        {
            bool isPart = Nullable.GetUnderlyingType(owner.Type) != null
                ? member.Member.Name != "Value"
                : MemberPath.IsValue(owner.Type);
            if (isPart)
            {
                return false;
            }

            inner = FieldTranslator.Strip(owner);
        }

        return inner is ParameterExpression && IsAsItIs(expression);
    }

    /// <summary>Whether a member is taken without a conversion that changes its value.</summary>
    private static bool IsAsItIs(Expression expression) => expression switch
    {
        MemberExpression => true,
        UnaryExpression cast when Conversions.Is(cast) => !ScriptTranslator.ChangesValue(cast)
            && IsAsItIs(cast.Operand),
        _ => false,
    };
}
