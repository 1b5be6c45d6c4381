namespace Raven.Scripting.Syntax;

/// <summary>Converts an offset to line and column, both from 1.</summary>
internal static class TextPosition
{
    internal static (int Line, int Column) Of(string source, int position)
    {
        int line = 1;
        int start = 0;
        int end = Math.Min(position, source.Length);
        for (int i = 0; i < end; i++)
        {
            if (source[i] is '\n' or '\u2028' or '\u2029' || (source[i] == '\r' && !(i + 1 < end
                && source[i + 1] == '\n')))
            {
                line++;
                start = i + 1;
            }
        }

        return (line, end - start + 1);
    }
}
