using System.Globalization;
using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>See <see cref="ITimePeriodBuilder"/>.</summary>
internal sealed class TimePeriodBuilder : ITimePeriodBuilder, ITimeSeriesAggregationOperations
{
    /// <summary>The stretch of time as text, such as <c>1 hour</c>.</summary>
    internal string? Period { get; private set; }

    internal bool IsByTag { get; private set; }

    /// <summary>The field of the documents that tags name; null if it is the tag itself.</summary>
    internal LambdaExpression? TagField { get; private set; }

    internal InterpolationType Interpolation { get; private set; }

    /// <summary>What a caller says of a stretch of time.</summary>
    /// <exception cref="InvalidOperationException">It says nothing.</exception>
    internal static TimePeriodBuilder Of(Action<ITimePeriodBuilder> say)
    {
        ArgumentNullException.ThrowIfNull(say);
        var builder = new TimePeriodBuilder();
        say(builder);
        return builder.Period is null
            ? throw new InvalidOperationException("It is not said how long the stretch of time is.")
            : builder;
    }

    public ITimeSeriesAggregationOperations Milliseconds(int duration) => Set(duration, "milliseconds");

    public ITimeSeriesAggregationOperations Seconds(int duration) => Set(duration, "seconds");

    public ITimeSeriesAggregationOperations Minutes(int duration) => Set(duration, "minutes");

    public ITimeSeriesAggregationOperations Hours(int duration) => Set(duration, "hours");

    public ITimeSeriesAggregationOperations Days(int duration) => Set(duration, "days");

    public ITimeSeriesAggregationOperations Weeks(int duration) => Set(duration, "weeks");

    public ITimeSeriesAggregationOperations Months(int duration) => Set(duration, "months");

    public ITimeSeriesAggregationOperations Quarters(int duration) => Set(duration, "quarters");

    public ITimeSeriesAggregationOperations Years(int duration) => Set(duration, "years");

    public void ByTag() => IsByTag = true;

    public void ByTag<TEntity>(Expression<Func<TEntity, object?>> selector)
    {
        ArgumentNullException.ThrowIfNull(selector);
        IsByTag = true;
        TagField = selector;
    }

    public void WithOptions(TimeSeriesAggregationOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        Interpolation = options.Interpolation;
    }

    private TimePeriodBuilder Set(int duration, string unit)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(duration);
        Period = string.Create(CultureInfo.InvariantCulture, $"{duration} {unit}");
        return this;
    }
}
