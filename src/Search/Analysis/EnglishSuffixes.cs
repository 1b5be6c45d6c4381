using System.Text;

namespace Raven.Search.Analysis;

/// <summary>The suffixes of the Porter2 steps by their last letter, as most words end with none of them; a longer one
/// precedes any that it ends with.</summary>
internal static class EnglishSuffixes
{
    private static readonly (byte[] From, byte[] To)[][] OfStep2 = Pairs(
        "ational>ate ization>ize fulness>ful ousness>ous iveness>ive tional>tion biliti>ble lessli>less entli>ent "
        + "ation>ate alism>al aliti>al ousli>ous iviti>ive fulli>ful enci>ence anci>ance abli>able izer>ize ator>ate "
        + "alli>al bli>ble ogi>og");

    private static readonly (byte[] From, byte[] To)[][] OfStep3 = Pairs(
        "ational>ate tional>tion alize>al icate>ic iciti>ic ative> ical>ic ness> ful>");

    private static readonly (byte[] From, byte[] To)[][] OfStep4 = Pairs(
        "ement> ance> ence> able> ible> ment> ant> ent> ism> ate> iti> ous> ive> ize> al> er> ic>");

    /// <summary>The suffixes of step 2 with a last letter, and what stands for them.</summary>
    internal static ReadOnlySpan<(byte[] From, byte[] To)> Step2(byte last) => With(last, OfStep2);

    /// <summary>The suffixes of step 3 with a last letter, and what stands for them.</summary>
    internal static ReadOnlySpan<(byte[] From, byte[] To)> Step3(byte last) => With(last, OfStep3);

    /// <summary>The suffixes of step 4 with a last letter, and what stands for them.</summary>
    internal static ReadOnlySpan<(byte[] From, byte[] To)> Step4(byte last) => With(last, OfStep4);

    private static ReadOnlySpan<(byte[] From, byte[] To)> With(byte last, (byte[] From, byte[] To)[][] suffixes)
    {
        int letter = last - 'a';
        return (uint)letter < (uint)suffixes.Length ? suffixes[letter] : [];
    }

    private static (byte[] From, byte[] To)[][] Pairs(string text)
    {
        (byte[] From, byte[] To)[] pairs =
        [
            .. text.Split(' ').Select(pair => pair.Split('>'))
                .Select(pair => (Encoding.ASCII.GetBytes(pair[0]), Encoding.ASCII.GetBytes(pair[1]))),
        ];
        return [.. Enumerable.Range('a', 26).Select(last => pairs.Where(pair => pair.From[^1] == last).ToArray())];
    }
}
