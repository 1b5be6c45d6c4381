using Raven.Blittable.Memory;
using Raven.Documents.Rows.Series;
using Raven.Documents.Sweeps;

namespace Raven.Server.Http.TimeSeries;

/// <summary>A range of a time series that is asked for.</summary>
/// <param name="Name">The name of the series, UTF-8.</param>
/// <param name="From">The first time, in ms since 0001-01-01; null if the range is open there.</param>
/// <param name="To">The last time; null if the range is open there.</param>
internal readonly record struct TimeSeriesRange(NativeSlice Name, long? From, long? To)
{
    /// <summary>The first time.</summary>
    internal long First => From ?? 0;

    /// <summary>The last time.</summary>
    internal long Last => To ?? SeriesTime.Max;

    /// <summary>A time of a query; null if there is none.</summary>
    /// <exception cref="BadRequestException">It is not a time.</exception>
    internal static long? ReadTime(RequestContext request, ReadOnlySpan<char> encoded, string name)
    {
        if (encoded.IsEmpty)
        {
            return null;
        }

        string text = System.Text.Encoding.UTF8.GetString(request.Decode(encoded, name).Span);
        return DocumentTime.TryRead(text, out long ticks)
            ? SeriesTime.OfTicks(ticks)
            : throw new BadRequestException(400, ErrorType.Argument, $"{name} must be a time, not '{text}'.");
    }
}
