namespace Raven.Scripting.Syntax;

/// <summary>
/// The text is not a script. Caught by the compilation, which throws a <see cref="ScriptException"/> instead.
/// </summary>
internal sealed class ScriptSyntaxException(string message, string source, int position) : Exception(message)
{
    internal (int Line, int Column) Place => TextPosition.Of(source, position);
}
