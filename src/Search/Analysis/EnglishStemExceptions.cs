namespace Raven.Search.Analysis;

/// <summary>The words that Porter2 lists by hand.</summary>
internal static class EnglishStemExceptions
{
    private static ReadOnlySpan<byte> Changed =>
        " skis>ski skies>sky dying>die lying>lie tying>tie idly>idl gently>gentl "u8
        + "ugly>ugli early>earli only>onli singly>singl "u8;

    private static ReadOnlySpan<byte> Unchanged => " sky news howe atlas cosmos bias andes "u8;

    private static ReadOnlySpan<byte> KeptAfterStep1A =>
        " inning outing canning herring earring proceed exceed succeed "u8;

    /// <summary>Stems a listed word in place.</summary>
    internal static bool TryStem(Span<byte> word, out int length)
    {
        length = word.Length;
        if (word.Length is < 3 or > 6 || !"egsy"u8.Contains(word[^1]))
        {
            return false;
        }

        if (Find(Unchanged, word, (byte)' ') >= 0)
        {
            return true;
        }

        int at = Find(Changed, word, (byte)'>');
        if (at < 0)
        {
            return false;
        }

        ReadOnlySpan<byte> stem = Changed[(at + word.Length + 1)..];
        stem = stem[..stem.IndexOf((byte)' ')];
        stem.CopyTo(word);
        length = stem.Length;
        return true;
    }

    internal static bool IsKeptAfterStep1A(ReadOnlySpan<byte> word) =>
        word.Length is >= 6 and <= 7 && Find(KeptAfterStep1A, word, (byte)' ') >= 0;

    /// <summary>The place of a word between a space and <paramref name="end"/>.</summary>
    private static int Find(ReadOnlySpan<byte> list, ReadOnlySpan<byte> word, byte end)
    {
        int from = 0;
        while (true)
        {
            int found = list[from..].IndexOf(word);
            if (found < 0)
            {
                return -1;
            }

            int at = from + found;
            if (list[at - 1] == ' ' && list[at + word.Length] == end)
            {
                return at;
            }

            from = at + 1;
        }
    }
}
