using System.Text;

namespace Raven.Search.Automata;

/// <summary>The order of Unicode's code points, which is that of their bytes in UTF-8.</summary>
internal static class CodePoints
{
    private const int Last = 0x10FFFF;

    /// <summary>The next code point that UTF-8 can say; -1 behind the last.</summary>
    internal static int After(int codePoint) =>
        codePoint == Last ? -1 : Rune.IsValid(codePoint + 1) ? codePoint + 1 : 0xE000;
}
