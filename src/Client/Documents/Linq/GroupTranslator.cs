using System.Linq.Expressions;
using Raven.Client.Documents.Queries;

namespace Raven.Client.Documents.Linq;

/// <summary>Translates the projection of a GroupBy: its key, counts and sums.</summary>
internal sealed class GroupTranslator(FieldTranslator fields, LambdaExpression key, string? arrayKey)
{
    /// <summary>
    /// The parts of a key, with the names by which they are read; a plain key is one part without a name.
    /// </summary>
    internal static IEnumerable<(string? Name, Expression Path)> KeysOf(LambdaExpression key) =>
        key.Body is NewExpression { Members: { } members } made
            ? members.Zip(made.Arguments, (member, path) => ((string?)member.Name, path))
            : [(null, key.Body)];

    internal string Translate(LambdaExpression selector) => string.Join(", ",
        fields.MembersOf(selector.Body)
            .Select(member => $"{Item(member.Value)} as {RqlBuilder.Field(member.Name)}"));

    private string Item(Expression value)
    {
        switch (fields.Read(value))
        {
            case MemberExpression { Member.Name: "Key", Expression: ParameterExpression } when arrayKey != null:
                return arrayKey;
            case MemberExpression { Member.Name: "Key", Expression: ParameterExpression }
                when KeysOf(key).ToArray() is [(null, { } path)]:
                return fields.PathOf(path);
            case MemberExpression
            {
                Expression: MemberExpression { Member.Name: "Key", Expression: ParameterExpression }
            } part when KeysOf(key).FirstOrDefault(pair => pair.Name == part.Member.Name).Path is { } path:
                return fields.PathOf(path);
            case MethodCallExpression { Method.Name: "Count" or "LongCount", Arguments.Count: 1 }:
                return "count()";
            case MethodCallExpression { Method.Name: "Sum", Arguments: [_, { } selector] }:
                string summed = fields.PathOf(((LambdaExpression)FieldTranslator.Strip(selector)).Body);
                return arrayKey is null && KeysOf(key).Any(pair => fields.PathOf(pair.Path) == summed)
                    ? throw new NotSupportedException(
                        $"'{value}' cannot be translated: what is grouped by cannot be summed up as well.")
                    : $"sum({summed})";
            default:
                throw new NotSupportedException(
                    $"'{value}' cannot be translated: of a group, its key, Count() and Sum(...) can be selected.");
        }
    }
}
