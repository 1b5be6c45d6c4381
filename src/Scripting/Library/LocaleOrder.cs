using Raven.Scripting.Runtime;
using Raven.Scripting.Text;

namespace Raven.Scripting.Library;

/// <summary>
/// String.prototype.localeCompare: the order of the invariant culture, whatever language is asked for, so that an order
/// is the same on every server.
/// </summary>
internal static class LocaleOrder
{
    /// <summary>A letter has an accent of its own at least, and marks have larger ones.</summary>
    private const int OwnAccent = 1;
    private const int MarkAccent = 0x10000;

    /// <summary>What stands for letters only by compatibility comes behind them.</summary>
    private const int CompatibleForm = 0x10000;

    internal enum Strength : byte
    {
        Letters, Accents, Forms,
    }

    internal static int Compare(Run run, string left, string right, Strength strength)
    {
        if (Ascii(left) && Ascii(right))
        {
            // What both begin with decides nothing, if no mark can belong to it.
            int shared = left.AsSpan().CommonPrefixLength(right);
            (left, right) = (left[shared..], right[shared..]);
        }

        if (left.Length == 0 && right.Length == 0)
        {
            return 0;
        }

        List<(long Letter, int Accent, int Form)> first = Places(run, left);
        List<(long Letter, int Accent, int Form)> second = Places(run, right);
        int order = Compare(first, second, place => place.Letter);
        if (order == 0 && strength >= Strength.Accents)
        {
            order = Compare(first, second, place => place.Accent);
        }

        return order == 0 && strength >= Strength.Forms ? Compare(first, second, place => place.Form) : order;
    }

    /// <summary>The options of the call: the strength alone, as anything else needs the rules of a language.</summary>
    internal static Strength ReadOptions(Run run, JsValue options)
    {
        if (options.IsUndefined)
        {
            return Strength.Forms;
        }

        foreach (string name in Objects.EnumerableNames(run, Operations.ToObject(run, options)))
        {
            if (name != "sensitivity" && name != "usage" && Operations.ToBoolean(run.GetProperty(options, name)))
            {
                throw run.TypeError($"localeCompare has no option '{name}': Intl is not supported");
            }
        }

        JsValue sensitivity = run.GetProperty(options, "sensitivity");
        return (sensitivity.IsUndefined ? "variant" : Operations.ToText(run, sensitivity)) switch
        {
            "base" => Strength.Letters,
            "accent" => Strength.Accents,
            "variant" => Strength.Forms,
            _ => throw run.RangeError("The sensitivity of localeCompare is 'base', 'accent' or 'variant'"),
        };
    }

    private static bool Ascii(string text) => System.Text.Ascii.IsValid(text);

    private static List<(long Letter, int Accent, int Form)> Places(Run run, string text)
    {
        run.ChargeSteps(text.Length / 4);
        run.ChargeBytes(32L * text.Length);
        RootOrder order = RootOrder.Tables;
        List<(long, int, int)> places = new(text.Length);
        if (Ascii(text))
        {
            foreach (char c in text)
            {
                Add(places, order.PlaceOf(c), 0);
            }

            return places;
        }

        Decompositions tables = Decompositions.Tables;
        List<int> parts = [];
        foreach (int point in Normalizer.Decompose(run, text, compatible: false))
        {
            parts.Clear();
            int form = tables.IsCompatible(point) ? CompatibleForm : 0;
            if (order.Expansions.TryGetValue(point, out int[]? letters))
            {
                parts.AddRange(letters);
                form = CompatibleForm;
            }
            else
            {
                tables.Add(parts, point, compatible: true);
            }

            run.ChargeBytes(32L * (parts.Count - 1));
            foreach (int part in parts)
            {
                Add(places, order.PlaceOf(part), form);
            }
        }

        return places;
    }

    private static void Add(List<(long, int, int)> places, (long Letter, int Accent, int Form) place, int form)
    {
        if (place != default)
        {
            int accent = place.Letter > 0 ? OwnAccent + place.Accent : place.Accent > 0 ? MarkAccent + place.Accent : 0;
            places.Add((place.Letter, accent, 1 + place.Form + form));
        }
    }

    /// <summary>Compares one level, in which what has no weight is passed over.</summary>
    private static int Compare(
        List<(long, int, int)> left,
        List<(long, int, int)> right,
        Func<(long Letter, int Accent, int Form), long> weigh)
    {
        int i = 0;
        int j = 0;
        while (true)
        {
            long first = Next(left, ref i, weigh);
            long second = Next(right, ref j, weigh);
            if (first != second || first == 0)
            {
                return Math.Sign(first.CompareTo(second));
            }
        }
    }

    private static long Next(List<(long, int, int)> places, ref int at, Func<(long, int, int), long> weigh)
    {
        while (at < places.Count)
        {
            long weight = weigh(places[at++]);
            if (weight > 0)
            {
                return weight;
            }
        }

        return 0;
    }
}
