namespace Raven.Scripting.Hosting;

/// <summary>An argument that a script passes to its host.</summary>
/// <param name="Value">A text, a double, a boolean or null; of a document, its id.</param>
/// <param name="IsDocument">Whether it is a document.</param>
public readonly record struct ScriptArgument(object? Value, bool IsDocument);
