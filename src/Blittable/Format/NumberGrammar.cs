namespace Raven.Blittable.Format;

/// <summary>The grammar of a JSON number, for texts that the JSON scanner did not read.</summary>
internal static class NumberGrammar
{
    /// <summary>True if the text is a number: -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?</summary>
    internal static bool IsNumber(ReadOnlySpan<byte> text)
    {
        text = text.Length > 0 && text[0] == '-' ? text[1..] : text;
        int whole = Digits(text);
        if (whole == 0 || (whole > 1 && text[0] == '0'))
        {
            return false;
        }

        text = text[whole..];
        if (text.Length > 0 && text[0] == '.')
        {
            int fraction = Digits(text[1..]);
            if (fraction == 0)
            {
                return false;
            }

            text = text[(fraction + 1)..];
        }

        if (text.Length > 0 && text[0] is (byte)'e' or (byte)'E')
        {
            text = text.Length > 1 && text[1] is (byte)'+' or (byte)'-' ? text[2..] : text[1..];
            int exponent = Digits(text);
            return exponent > 0 && exponent == text.Length;
        }

        return text.IsEmpty;
    }

    private static int Digits(ReadOnlySpan<byte> text)
    {
        int end = text.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return end < 0 ? text.Length : end;
    }
}
