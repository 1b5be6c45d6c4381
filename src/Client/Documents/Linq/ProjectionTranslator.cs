using System.Linq.Expressions;
using Raven.Client.Documents.Queries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>The projection of a Select: a list of fields where that is enough, an object of JavaScript where
/// something is computed.</summary>
internal sealed class ProjectionTranslator(FieldTranslator fields, RqlBuilder rql, LambdaExpression selector)
{
    private const string SingleName = "Value";
    private const string Alias = "x";

    /// <summary>The field that is the result where the Select makes no object; null where it makes one.</summary>
    internal string? SingleField { get; private set; }

    internal static IEnumerable<(string Name, Expression Value)> MembersOf(Expression body) => body switch
    {
        NewExpression { Members: { } members } made =>
            members.Zip(made.Arguments, (member, value) => (MemberPath.NameOf(member), value)),
        MemberInitExpression { NewExpression.Arguments.Count: 0 } made =>
            made.Bindings.Select(binding => binding is MemberAssignment assigned
                ? (MemberPath.NameOf(assigned.Member), assigned.Expression)
                : throw new NotSupportedException($"'{binding}' is no assignment of a value.")),
        _ => throw new NotSupportedException($"'{body}' makes no object of named values."),
    };

    internal string Translate()
    {
        (string Name, Expression Value)[] members;
        if (FieldTranslator.Strip(selector.Body) is NewExpression { Members: not null } or MemberInitExpression)
        {
            members = [.. MembersOf(FieldTranslator.Strip(selector.Body))];
        }
        else
        {
            SingleField = SingleName;
            members = [(SingleName, selector.Body)];
        }

        if (members.All(member => IsField(member.Value)))
        {
            return string.Join(", ", members.Select(member => $"{fields.PathOf(member.Value)} as {member.Name}"));
        }

        rql.Alias = Alias;
        var script = new ScriptTranslator(fields, new() { [selector.Parameters[0]] = Alias });
        return "{ " + string.Join(", ", members.Select(member => $"{member.Name}: {script.Translate(member.Value)}"))
            + " }";
    }

    private static bool IsField(Expression expression)
    {
        Expression inner = FieldTranslator.Strip(expression);
        while (inner is MemberExpression { Expression: { } owner } member
            && member.Member.DeclaringType != typeof(string)
            && !(typeof(System.Collections.IEnumerable).IsAssignableFrom(member.Member.DeclaringType)))
        {
            inner = FieldTranslator.Strip(owner);
        }

        return inner is ParameterExpression && FieldTranslator.Strip(expression) is MemberExpression;
    }
}
