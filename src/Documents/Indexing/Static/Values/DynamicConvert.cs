using System.Collections;
using System.Globalization;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>Casts of maps, and conversions of values of additional sources.</summary>
public static class DynamicConvert
{
    /// <summary>Any object as a value of a map.</summary>
    public static DynamicValue FromObject(object? value) => value switch
    {
        null => DynamicValue.Null,
        DynamicValue known => known,
        string text => DynamicValue.Of(text),
        char one => DynamicValue.Of(one.ToString()),
        bool flag => DynamicValue.Of(flag),
        double real => DynamicValue.Of(real),
        float real => DynamicValue.Of((double)real),
        decimal exact => DynamicValue.Of(exact),
        byte or sbyte or short or ushort or int or uint or long =>
            DynamicValue.Of(Convert.ToInt64(value, CultureInfo.InvariantCulture)),
        ulong large => large <= long.MaxValue ? DynamicValue.Of((long)large) : DynamicValue.Of((double)large),
        DateTime time => DynamicValue.Of(time),
        DateTimeOffset time => DynamicValue.Of(time),
        DateOnly day => DynamicValue.Of(day.ToDateTime(TimeOnly.MinValue)),
        TimeSpan span => DynamicValue.Of(span),
        Guid or Enum or TimeOnly => DynamicValue.Of(value.ToString()),
        DynamicRecord record => DynamicValue.Of(record),
        DynamicField field => DynamicValue.Of(field),
        DynamicShape shape => DynamicValue.Of(shape),
        DynamicVector vector => DynamicValue.Of(vector),
        IEnumerable<DynamicValue> values => DynamicValue.Of(values),
        IDictionary pairs => FromDictionary(pairs),
        IEnumerable values => DynamicValue.Of(values.Cast<object?>().Select(FromObject)),
        _ => DynamicValue.OfForeign(value),
    };

    /// <summary>A cast to a type of integers: null stays null, a fraction is truncated.</summary>
    public static DynamicValue ToInteger(DynamicValue value) =>
        value.IsNull ? value : DynamicValue.Of(DynamicNumbers.ToInteger(value));

    /// <summary>A cast to a floating point type; null stays null.</summary>
    public static DynamicValue ToReal(DynamicValue value) =>
        value.IsNull ? value : DynamicValue.Of(DynamicNumbers.ToReal(value));

    /// <summary>A cast to decimal.</summary>
    public static DynamicValue ToDecimal(DynamicValue value) =>
        value.IsNull ? value : DynamicValue.Of(DynamicNumbers.ToExact(value));

    /// <summary>A cast to bool.</summary>
    public static DynamicValue ToBoolean(DynamicValue value) =>
        value.IsNull ? value : DynamicValue.Of(value.IsTrue || (value.IsNumber && DynamicNumbers.ToReal(value) != 0));

    /// <summary>A cast to string.</summary>
    public static DynamicValue ToText(DynamicValue value) =>
        value.IsNull || value.IsText ? value : DynamicValue.Of(value.ToText());

    /// <summary>A cast to a date.</summary>
    /// <exception cref="FormatException">It is no date.</exception>
    public static DynamicValue ToDate(DynamicValue value) =>
        value.IsNull || value.Kind is DynamicKind.Date or DynamicKind.DateOffset ? value : DynamicDates.Parse(value);

    /// <summary>A cast to a duration.</summary>
    /// <exception cref="FormatException">It is no duration.</exception>
    public static DynamicValue ToDuration(DynamicValue value) => DynamicDates.ParseDuration(value);

    /// <summary>The cast <c>x as string</c>, also for a test of a type: null if the value is of another type.</summary>
    public static DynamicValue AsText(DynamicValue value) => value.IsText ? value : DynamicValue.Null;

    private static DynamicValue FromDictionary(IDictionary pairs)
    {
        string[] names = new string[pairs.Count];
        DynamicValue[] values = new DynamicValue[pairs.Count];
        int index = 0;
        foreach (DictionaryEntry pair in pairs)
        {
            names[index] = Convert.ToString(pair.Key, CultureInfo.InvariantCulture) ?? string.Empty;
            values[index++] = FromObject(pair.Value);
        }

        return DynamicValue.Of(new DynamicRecord(names, values));
    }
}
