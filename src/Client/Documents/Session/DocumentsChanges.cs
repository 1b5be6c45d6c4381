using System.Text.Json;

namespace Raven.Client.Documents.Session;

/// <summary>One change of a document since it was read.</summary>
/// <param name="Change">What happened.</param>
/// <param name="FieldName">
/// The field, or the element of a list as <c>Lines[2]</c>; empty for the whole document.
/// </param>
/// <param name="FieldPath">The object that holds it, as a path of names; empty for the document.</param>
/// <param name="FieldOldValue">The value that was read; null if there was none.</param>
/// <param name="FieldNewValue">The value that will be saved; null if there is none.</param>
public sealed record DocumentsChanges(
    ChangeType Change, string FieldName, string FieldPath, JsonElement? FieldOldValue, JsonElement? FieldNewValue)
{
    /// <summary>The path and the field.</summary>
    public string FieldFullName => FieldPath.Length == 0 ? FieldName : $"{FieldPath}.{FieldName}";
}
