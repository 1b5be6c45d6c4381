using System.Globalization;
using System.Text.RegularExpressions;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>Methods of texts in maps. For null the result is null, or false.</summary>
public static class DynamicText
{
    private static readonly TimeSpan RegexTimeMax = TimeSpan.FromSeconds(1);

    /// <summary>The text in lower case.</summary>
    public static DynamicValue ToLower(this DynamicValue value) => Map(value, text => text.ToLowerInvariant());

    /// <summary>The text in lower case.</summary>
    public static DynamicValue ToLowerInvariant(this DynamicValue value) => ToLower(value);

    /// <summary>The text in upper case.</summary>
    public static DynamicValue ToUpper(this DynamicValue value) => Map(value, text => text.ToUpperInvariant());

    /// <summary>The text in upper case.</summary>
    public static DynamicValue ToUpperInvariant(this DynamicValue value) => ToUpper(value);

    /// <summary>The text without blanks, or given characters, at both ends.</summary>
    public static DynamicValue Trim(this DynamicValue value, params DynamicValue[] characters) =>
        Map(value, text => characters.Length == 0 ? text.Trim() : text.Trim(Characters(characters)));

    /// <summary>The text without blanks, or given characters, at the start.</summary>
    public static DynamicValue TrimStart(this DynamicValue value, params DynamicValue[] characters) =>
        Map(value, text => characters.Length == 0 ? text.TrimStart() : text.TrimStart(Characters(characters)));

    /// <summary>The text without blanks, or given characters, at the end.</summary>
    public static DynamicValue TrimEnd(this DynamicValue value, params DynamicValue[] characters) =>
        Map(value, text => characters.Length == 0 ? text.TrimEnd() : text.TrimEnd(Characters(characters)));

    /// <summary>The text from an index on.</summary>
    public static DynamicValue Substring(this DynamicValue value, DynamicValue start) =>
        Map(value, text => text[IndexOf(start)..]);

    /// <summary>The text from an index on, of a given length.</summary>
    public static DynamicValue Substring(this DynamicValue value, DynamicValue start, DynamicValue length) =>
        Map(value, text => text.Substring(IndexOf(start), IndexOf(length)));

    /// <summary>The text with one text replaced by another.</summary>
    public static DynamicValue Replace(this DynamicValue value, DynamicValue old, DynamicValue other) =>
        Map(value, text => text.Replace(old.ToText()!, other.ToText(), StringComparison.Ordinal));

    /// <summary>The text with another one inserted at an index.</summary>
    public static DynamicValue Insert(this DynamicValue value, DynamicValue start, DynamicValue other) =>
        Map(value, text => text.Insert(IndexOf(start), other.ToText()!));

    /// <summary>The text up to an index.</summary>
    public static DynamicValue Remove(this DynamicValue value, DynamicValue start) =>
        Map(value, text => text.Remove(IndexOf(start)));

    /// <summary>The text without a part.</summary>
    public static DynamicValue Remove(this DynamicValue value, DynamicValue start, DynamicValue length) =>
        Map(value, text => text.Remove(IndexOf(start), IndexOf(length)));

    /// <summary>The text, padded on the left.</summary>
    public static DynamicValue PadLeft(this DynamicValue value, DynamicValue length) => PadLeft(value, length, Blank);

    /// <summary>The text, padded on the left with a character.</summary>
    public static DynamicValue PadLeft(this DynamicValue value, DynamicValue length, DynamicValue character) =>
        Map(value, text => text.PadLeft(Bounded(length), Characters([character])[0]));

    /// <summary>The text, padded on the right.</summary>
    public static DynamicValue PadRight(this DynamicValue value, DynamicValue length) =>
        PadRight(value, length, Blank);

    /// <summary>The text, padded on the right with a character.</summary>
    public static DynamicValue PadRight(this DynamicValue value, DynamicValue length, DynamicValue character) =>
        Map(value, text => text.PadRight(Bounded(length), Characters([character])[0]));

    /// <summary>The parts between separators.</summary>
    public static DynamicValue Split(this DynamicValue value, params DynamicValue[] separators)
    {
        if (value.IsNull)
        {
            return value;
        }

        bool removesEmpty = separators.Any(separator => Says(separator, "RemoveEmptyEntries"));
        string[] texts =
        [
            .. separators.Where(separator => !Says(separator, "RemoveEmptyEntries") && !Says(separator, "None"))
                .SelectMany(separator => separator.IsSequence ? separator.AsValues() : [separator])
                .Select(separator => separator.ToText()!),
        ];
        StringSplitOptions options = removesEmpty ? StringSplitOptions.RemoveEmptyEntries : StringSplitOptions.None;
        string[] parts = texts.Length == 0
            ? value.ToText()!.Split((char[]?)null, options)
            : value.ToText()!.Split(texts, options);
        return DynamicValue.List([.. parts.Select(part => DynamicValue.Of(part))]);
    }

    /// <summary>Whether it starts with a text.</summary>
    public static DynamicValue StartsWith(
        this DynamicValue value, DynamicValue start, DynamicValue comparison = default) =>
        Test(value, start, (text, other) => text.StartsWith(other, ComparisonOf(comparison)));

    /// <summary>Whether it ends with a text.</summary>
    public static DynamicValue EndsWith(
        this DynamicValue value, DynamicValue end, DynamicValue comparison = default) =>
        Test(value, end, (text, other) => text.EndsWith(other, ComparisonOf(comparison)));

    /// <summary>The first index of a text, or -1.</summary>
    public static DynamicValue IndexOf(
        this DynamicValue value, DynamicValue part, DynamicValue comparison = default) =>
        value.IsNull || part.IsNull
            ? DynamicValue.Null
            : DynamicValue.Of((long)value.ToText()!.IndexOf(part.ToText()!, ComparisonOf(comparison)));

    /// <summary>The last index of a text, or -1.</summary>
    public static DynamicValue LastIndexOf(this DynamicValue value, DynamicValue part) =>
        value.IsNull || part.IsNull
            ? DynamicValue.Null
            : DynamicValue.Of((long)value.ToText()!.LastIndexOf(part.ToText()!, StringComparison.Ordinal));

    /// <summary>Whether both are equal.</summary>
    public static DynamicValue EqualTo(
        this DynamicValue value, DynamicValue other, DynamicValue comparison = default) =>
        DynamicValue.Of(value.IsText && other.IsText && !comparison.IsNull
            ? string.Equals(value.ToText(), other.ToText(), ComparisonOf(comparison))
            : DynamicLogic.IsEqual(value, other));

    /// <summary>Less than 0 if this one is before the other.</summary>
    public static DynamicValue CompareTo(this DynamicValue value, DynamicValue other) =>
        DynamicValue.Of((long)DynamicLogic.Order(value, other));

    /// <summary>The text of a value.</summary>
    public static DynamicValue Formatted(this DynamicValue value) => DynamicConvert.ToText(value);

    /// <summary>The text of a number or a date in a format of .NET.</summary>
    public static DynamicValue Formatted(this DynamicValue value, DynamicValue format, DynamicValue culture = default)
    {
        _ = culture;
        DynamicValue source = value.IsText && DynamicDates.TryRead(value, out _) ? DynamicDates.Parse(value) : value;
        return source.IsNull ? source : DynamicValue.Of(Format(source, format.ToText()));
    }

    /// <summary>Whether a regular expression matches somewhere in the text; it may run for a second.</summary>
    public static DynamicValue IsMatch(DynamicValue value, DynamicValue pattern, DynamicValue options = default) =>
        DynamicValue.Of(!value.IsNull && Regex.IsMatch(
            value.ToText()!, pattern.ToText()!, OptionsOf(options), RegexTimeMax));

    /// <summary>The first match of a regular expression; null if there is none.</summary>
    public static DynamicValue Match(DynamicValue value, DynamicValue pattern, DynamicValue options = default)
    {
        if (value.IsNull)
        {
            return value;
        }

        Match match = Regex.Match(value.ToText()!, pattern.ToText()!, OptionsOf(options), RegexTimeMax);
        return match.Success ? DynamicValue.Of(match.Value) : DynamicValue.Null;
    }

    /// <summary>The text with the matches of a regular expression replaced.</summary>
    public static DynamicValue ReplaceMatches(DynamicValue value, DynamicValue pattern, DynamicValue other) =>
        Map(value, text => Regex.Replace(
            text, pattern.ToText()!, other.ToText() ?? string.Empty, RegexOptions.CultureInvariant, RegexTimeMax));

    /// <summary>The texts of values with a separator between them.</summary>
    public static DynamicValue Join(DynamicValue separator, params DynamicValue[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        IEnumerable<DynamicValue> all = values is [{ IsSequence: true } only] ? only.AsValues() : values;
        return DynamicValue.Of(string.Join(separator.ToText(), all.Select(value => value.ToText())));
    }

    /// <summary>The texts of values, concatenated.</summary>
    public static DynamicValue Concat(params DynamicValue[] values) => Join(DynamicValue.Of(string.Empty), values);

    /// <summary>A text with values in place of {0}, {1}, ...</summary>
    public static DynamicValue FormatAll(DynamicValue format, params DynamicValue[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        object?[] texts = [.. values.Select(Boxed)];
        return DynamicValue.Of(string.Format(CultureInfo.InvariantCulture, format.ToText()!, texts));
    }

    /// <summary>Whether it is null or empty.</summary>
    public static DynamicValue IsNullOrEmpty(DynamicValue value) =>
        DynamicValue.Of(string.IsNullOrEmpty(value.ToText()));

    /// <summary>Whether it has only blanks.</summary>
    public static DynamicValue IsNullOrWhiteSpace(DynamicValue value) =>
        DynamicValue.Of(string.IsNullOrWhiteSpace(value.ToText()));

    /// <summary>A scalar as text; JSON of an object or an array; null of null.</summary>
    internal static string? Format(DynamicValue value, string? format) => value.Kind switch
    {
        DynamicKind.Missing or DynamicKind.Null => null,
        DynamicKind.Boolean => value.Boolean ? "true" : "false",
        DynamicKind.Integer => value.Integer.ToString(format, CultureInfo.InvariantCulture),
        DynamicKind.Real => value.Real.ToString(format ?? "R", CultureInfo.InvariantCulture),
        DynamicKind.Decimal => value.Decimal.ToString(format, CultureInfo.InvariantCulture),
        DynamicKind.Date => value.Date.ToString(format ?? DateFormat(value.Date), CultureInfo.InvariantCulture),
        DynamicKind.DateOffset => value.DateOffset.ToString(format ?? "o", CultureInfo.InvariantCulture),
        DynamicKind.Duration => value.Duration.ToString(format, CultureInfo.InvariantCulture),
        DynamicKind.Text or DynamicKind.StoredText => value.ToText(),
        DynamicKind.Foreign => Convert.ToString(value.Object, CultureInfo.InvariantCulture),
        _ => DynamicJson.Write(value),
    };

    private static string DateFormat(DateTime date) => date.Kind == DateTimeKind.Utc
        ? "yyyy-MM-ddTHH:mm:ss.fffffffZ"
        : "yyyy-MM-ddTHH:mm:ss.fffffff";

    private static DynamicValue Blank => DynamicValue.Of(" ");

    private static object? Boxed(DynamicValue value) => value.Kind switch
    {
        DynamicKind.Integer => value.Integer,
        DynamicKind.Real => value.Real,
        DynamicKind.Decimal => value.Decimal,
        DynamicKind.Date => value.Date,
        DynamicKind.DateOffset => value.DateOffset,
        _ => value.ToText(),
    };

    private static DynamicValue Map(DynamicValue value, Func<string, string> change) =>
        value.IsNull ? DynamicValue.Null : DynamicValue.Of(change(value.ToText()!));

    private static DynamicValue Test(DynamicValue value, DynamicValue other, Func<string, string, bool> test) =>
        DynamicValue.Of(!value.IsNull && !other.IsNull && test(value.ToText()!, other.ToText()!));

    private static int IndexOf(DynamicValue value) => checked((int)DynamicNumbers.ToInteger(value));

    /// <summary>A length that a map gives, at most a million.</summary>
    private static int Bounded(DynamicValue value) => Math.Min(IndexOf(value), 1_000_000);

    private static char[] Characters(DynamicValue[] values) =>
        string.Concat(values.SelectMany(value => value.IsSequence ? value.AsValues() : [value])
            .Select(value => value.ToText())).ToCharArray();

    private static bool Says(DynamicValue value, string name) =>
        value.Kind == DynamicKind.Text && (string)value.Object! == name;

    internal static StringComparison ComparisonOf(DynamicValue value) =>
        value.ToText()?.EndsWith("IgnoreCase", StringComparison.Ordinal) == true
            ? StringComparison.OrdinalIgnoreCase
            : StringComparison.Ordinal;

    private static RegexOptions OptionsOf(DynamicValue value) => value.ToText() is { } name
        && name.Contains("IgnoreCase", StringComparison.Ordinal)
            ? RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
            : RegexOptions.CultureInvariant;
}
