namespace Raven.Client.Documents.Session.TimeSeries;

/// <summary>Which value of an entry a property or a field is; they are numbered from 0, without gaps.</summary>
/// <param name="index">The number of the value.</param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class TimeSeriesValueAttribute(byte index) : Attribute
{
    /// <summary>The number of the value.</summary>
    public byte Index => index;
}
