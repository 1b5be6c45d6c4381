using System.Text;

namespace Raven.Search.Analysis;

/// <summary>The suffixes of the Porter2 steps; a longer one precedes any that it ends with.</summary>
internal static class EnglishSuffixes
{
    internal static readonly (byte[] From, byte[] To)[] Step2 = Pairs(
        "ational>ate ization>ize fulness>ful ousness>ous iveness>ive tional>tion biliti>ble lessli>less entli>ent "
        + "ation>ate alism>al aliti>al ousli>ous iviti>ive fulli>ful enci>ence anci>ance abli>able izer>ize ator>ate "
        + "alli>al bli>ble ogi>og");

    internal static readonly (byte[] From, byte[] To)[] Step3 = Pairs(
        "ational>ate tional>tion alize>al icate>ic iciti>ic ative> ical>ic ness> ful>");

    internal static readonly byte[][] Step4 =
    [
        .. "ement ance ence able ible ment ant ent ism ate iti ous ive ize al er ic"
            .Split(' ').Select(Encoding.ASCII.GetBytes),
    ];

    private static (byte[] From, byte[] To)[] Pairs(string text) =>
        [.. text.Split(' ').Select(pair => pair.Split('>'))
            .Select(pair => (Encoding.ASCII.GetBytes(pair[0]), Encoding.ASCII.GetBytes(pair[1])))];
}
