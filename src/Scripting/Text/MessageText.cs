namespace Raven.Scripting.Text;

/// <summary>Excerpts of a script for messages, kept short.</summary>
internal static class MessageText
{
    private const int LengthMax = 60;

    internal static string Cut(string text) => text.Length <= LengthMax ? text : text[..LengthMax] + "...";
}
