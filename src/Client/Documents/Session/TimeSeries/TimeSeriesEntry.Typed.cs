using System.Text.Json.Serialization;

namespace Raven.Client.Documents.Session.TimeSeries;

/// <summary>An entry of a time series whose values are an object.</summary>
/// <typeparam name="T">A type with a <see cref="TimeSeriesValueAttribute"/> at each value.</typeparam>
public class TimeSeriesEntry<T> : TimeSeriesEntry where T : new()
{
    private T? _value;
    private bool _hasValue;

    /// <summary>The values as an object; NaN for those that the entry does not have.</summary>
    [JsonIgnore]
    public new T Value
    {
        get
        {
            if (!_hasValue)
            {
                Value = TimeSeriesValues<T>.Read(Values);
            }

            return _value!;
        }

        set
        {
            _value = value;
            _hasValue = true;
        }
    }

    /// <summary>The values of the object, as they are sent.</summary>
    internal double[] Written => _hasValue ? TimeSeriesValues<T>.Write(_value!) : Values;
}
