using System.Linq.Expressions;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// A text of a document in lower or upper case (<c>x.Name.ToLower()</c>). The server compares and orders texts without
/// regard to case, so the field itself is used, with a value in the same case.
/// </summary>
/// <param name="Field">The text of the document.</param>
/// <param name="Of">Converts a text to that case.</param>
internal sealed record TextFold(Expression Field, Func<string, string> Of)
{
    /// <summary>The conversion of case that an expression is; null if it is none.</summary>
    internal static TextFold? Find(Expression expression) =>
        FieldTranslator.Strip(expression) is MethodCallExpression { Object: { } field, Arguments.Count: 0 } call
        && call.Method.DeclaringType == typeof(string) && FieldTranslator.ReadsDocument(field)
            ? call.Method.Name switch
            {
                nameof(string.ToLower) or nameof(string.ToLowerInvariant) => new TextFold(
                    field, text => text.ToLowerInvariant()),
                nameof(string.ToUpper) or nameof(string.ToUpperInvariant) => new TextFold(
                    field, text => text.ToUpperInvariant()),
                _ => null,
            }
            : null;

    /// <summary>The text of the document if an expression converts its case, otherwise the expression.</summary>
    internal static Expression Inside(Expression expression) => Find(expression)?.Field ?? expression;

    /// <summary>Whether a value can be equal to a text in that case at all.</summary>
    internal bool CanBe(object? value) => value is not string text || Of(text) == text;
}
