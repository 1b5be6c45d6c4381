namespace Raven.Scripting.Syntax;

/// <summary>
/// The text is not a script. Caught where a script is compiled and turned into a <see cref="ScriptException"/>.
/// </summary>
internal sealed class ScriptSyntaxException(string message, string source, int position) : Exception(message)
{
    internal (int Line, int Column) Place => TextPosition.Of(source, position);
}
