namespace Raven.Scripting.Text;

/// <summary>What code points are made of, and the order of marks (Unicode Standard Annex 15).</summary>
internal sealed class Decompositions
{
    private const int SyllableFirst = 0xAC00;
    private const int LeadFirst = 0x1100;
    private const int VowelFirst = 0x1161;
    private const int TailBase = 0x11A7;
    private const int LeadCount = 19;
    private const int VowelCount = 21;
    private const int TailCount = 28;
    private const int SyllableCount = LeadCount * VowelCount * TailCount;

    private static readonly Lazy<Decompositions> Loaded = new(() => new Decompositions());

    private readonly Dictionary<int, int[]> _canonical = ReadLists("canonical all");
    private readonly Dictionary<int, int[]> _compatible = ReadLists("compatible all");
    private readonly Dictionary<(int, int), int> _pairs =
        ReadLists("pairs all").ToDictionary(pair => (pair.Value[0], pair.Value[1]), pair => pair.Key);

    private readonly Dictionary<int, byte> _classes = [];

    private Decompositions()
    {
        foreach ((string name, string data) in UnicodeTables.Kind("class"))
        {
            byte value = byte.Parse(name, System.Globalization.CultureInfo.InvariantCulture);
            foreach ((int first, int last) in UnicodeTables.ReadSet(data).Ranges)
            {
                for (int c = first; c <= last; c++)
                {
                    _classes.Add(c, value);
                }
            }
        }
    }

    internal static Decompositions Tables => Loaded.Value;

    /// <summary>The class of a mark; 0 for anything else.</summary>
    internal byte ClassOf(int c) => c < 0x300 ? (byte)0 : _classes.GetValueOrDefault(c);

    /// <summary>Adds the full decomposition of a code point, which is mostly itself.</summary>
    internal void Add(List<int> target, int c, bool compatible)
    {
        if (c is >= SyllableFirst and < SyllableFirst + SyllableCount)
        {
            int index = c - SyllableFirst;
            target.Add(LeadFirst + (index / (VowelCount * TailCount)));
            target.Add(VowelFirst + (index % (VowelCount * TailCount) / TailCount));
            if (index % TailCount > 0)
            {
                target.Add(TailBase + (index % TailCount));
            }
        }
        else if (c >= 0xA0 && ((compatible && _compatible.TryGetValue(c, out int[]? parts))
            || _canonical.TryGetValue(c, out parts)))
        {
            target.AddRange(parts);
        }
        else
        {
            target.Add(c);
        }
    }

    /// <summary>Whether a code point stands for others only by compatibility: a ligature, a wide form.</summary>
    internal bool IsCompatible(int c) => c >= 0xA0 && _compatible.ContainsKey(c);

    internal bool TryCompose(int first, int second, out int composed)
    {
        int lead = first - LeadFirst;
        int vowel = second - VowelFirst;
        if ((uint)lead < LeadCount && (uint)vowel < VowelCount)
        {
            composed = SyllableFirst + (((lead * VowelCount) + vowel) * TailCount);
            return true;
        }

        int syllable = first - SyllableFirst;
        int tail = second - TailBase;
        if ((uint)syllable < SyllableCount && syllable % TailCount == 0 && tail is > 0 and < TailCount)
        {
            composed = first + tail;
            return true;
        }

        return _pairs.TryGetValue((first, second), out composed);
    }

    /// <summary>Lists by code point: the difference to the one before, and the parts behind commas.</summary>
    internal static Dictionary<int, int[]> ReadLists(string key)
    {
        string data = UnicodeTables.Line(key);
        Dictionary<int, int[]> lists = [];
        List<int> parts = [];
        int c = 0;
        for (int at = 0; at < data.Length; at++)
        {
            c += UnicodeTables.ReadNumber(data, ref at);
            parts.Clear();
            while (at < data.Length && data[at] == ',')
            {
                at++;
                parts.Add(UnicodeTables.ReadNumber(data, ref at));
            }

            lists.Add(c, [.. parts]);
        }

        return lists;
    }
}
