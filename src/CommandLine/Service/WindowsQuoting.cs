using System.Text;

namespace Raven.CommandLine.Service;

/// <summary>A command line of Windows, which is one text that each program takes apart by the same rules.</summary>
internal static class WindowsQuoting
{
    /// <summary>The text that is taken apart into these words.</summary>
    internal static string Join(IEnumerable<string> words)
    {
        var text = new StringBuilder();
        foreach (string word in words)
        {
            if (text.Length > 0)
            {
                text.Append(' ');
            }

            Append(text, word);
        }

        return text.ToString();
    }

    /// <summary>Backslashes mean themselves unless a quotation mark follows: then each is written twice.</summary>
    private static void Append(StringBuilder text, string word)
    {
        if (word.Length > 0 && !word.Any(c => c is ' ' or '\t' or '\n' or '\v' or '"'))
        {
            text.Append(word);
            return;
        }

        text.Append('"');
        int backslashes = 0;
        foreach (char c in word)
        {
            if (c == '"')
            {
                text.Append('\\', backslashes + 1);
            }

            text.Append(c);
            backslashes = c == '\\' ? backslashes + 1 : 0;
        }

        text.Append('\\', backslashes).Append('"');
    }
}
