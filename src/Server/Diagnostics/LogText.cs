using System.Buffers;
using System.Globalization;
using System.Text;

namespace Raven.Server.Diagnostics;

/// <summary>
/// Keeps a line of the log one line: paths, names and reasons have characters that callers choose, and some of them
/// begin a line that the server has not written, or tell a terminal what to do.
/// </summary>
internal static class LogText
{
    /// <summary>The most characters of a line.</summary>
    internal const int LengthMax = 4096;

    private const string Cut = "...";

    private static readonly char[] AllEscaped =
        [.. Enumerable.Range(0, char.MaxValue + 1).Select(code => (char)code).Where(IsUnsafe)];

    private static readonly SearchValues<char> Escaped = SearchValues.Create(AllEscaped);

    private static readonly SearchValues<char> EscapedInTrace = SearchValues.Create(
        [.. AllEscaped.Where(letter => letter != '\t' && !Environment.NewLine.Contains(letter))]);

    /// <summary>The same text with such characters as escapes (<c>\u001B</c>), and cut if it is long.</summary>
    internal static string OneLine(string text)
    {
        if (text.Length <= LengthMax && !text.AsSpan().ContainsAny(Escaped))
        {
            return text;
        }

        var line = new StringBuilder();
        foreach (char letter in text)
        {
            if (line.Length >= LengthMax)
            {
                return line.Append(Cut).ToString();
            }

            if (Escaped.Contains(letter))
            {
                line.Append(CultureInfo.InvariantCulture, $"\\u{(int)letter:X4}");
            }
            else
            {
                line.Append(letter);
            }
        }

        return line.ToString();
    }

    /// <summary>Whether the text of an exception can be written as it is: it has lines of its own.</summary>
    internal static bool IsTrace(string text) => !text.AsSpan().ContainsAny(EscapedInTrace);

    private static bool IsUnsafe(char letter) =>
        char.IsControl(letter)
        || char.GetUnicodeCategory(letter) is UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator
            or UnicodeCategory.Format;
}
