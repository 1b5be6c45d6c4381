namespace Raven.Scripting.Text;

/// <summary>Texts of a script in messages, which stay short.</summary>
internal static class MessageText
{
    private const int LengthMax = 60;

    internal static string Cut(string text) => text.Length <= LengthMax ? text : text[..LengthMax] + "...";
}
