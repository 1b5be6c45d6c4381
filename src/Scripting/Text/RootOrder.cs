namespace Raven.Scripting.Text;

/// <summary>
/// The places of code points in the root order of Unicode (Technical Standard 10, as the Common Locale Data Repository
/// has it), which is the order of the invariant culture: letters first, then accents, then upper case and other forms.
/// </summary>
internal sealed class RootOrder
{
    private const long OtherScripts = 0x10000;
    private const long Ideographs = 0x200000;
    private const long RareIdeographs = 0x400000;

    private static readonly Lazy<RootOrder> Loaded = new(() => new RootOrder());

    /// <summary>Letter, accent and form by code point; 0 in all if it is ignored.</summary>
    private readonly Dictionary<int, (ushort Letter, ushort Accent, ushort Form)> _places = [];

    private RootOrder()
    {
        string data = UnicodeTables.Line("order all");
        (ushort Letter, ushort Accent, ushort Form) place = default;
        int c = 0;
        for (int at = 0; at < data.Length;)
        {
            char op = data[at++];
            int step = UnicodeTables.ReadNumber(data, ref at);
            if (at < data.Length && data[at] == '-')
            {
                at++;
                step = -step;
            }

            c += step;
            place = op switch
            {
                '<' => ((ushort)(place.Letter + 1), (ushort)0, (ushort)0),
                ';' => (place.Letter, (ushort)(place.Accent + 1), (ushort)0),
                ',' => (place.Letter, place.Accent, (ushort)(place.Form + 1)),
                _ => place,
            };
            _places.Add(c, place);
        }
    }

    internal static RootOrder Tables => Loaded.Value;

    /// <summary>The letters that one without a decomposition is sorted as: two for a ligature.</summary>
    internal IReadOnlyDictionary<int, int[]> Expansions { get; } = Decompositions.ReadLists("expansions all");

    /// <summary>The place of a code point that has no decomposition.</summary>
    internal (long Letter, int Accent, int Form) PlaceOf(int c)
    {
        if (_places.TryGetValue(c, out var known))
        {
            return known;
        }

        long block = c is >= 0x4E00 and <= 0x9FFF or >= 0xFA0E and <= 0xFA29 ? Ideographs
            : c is >= 0x3400 and <= 0x4DBF or >= 0x20000 and <= 0x3FFFF ? RareIdeographs : OtherScripts;
        return (block + c, 0, 0);
    }
}
