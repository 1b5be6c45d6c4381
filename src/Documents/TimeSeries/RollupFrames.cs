using Raven.Documents.Rows.Series;
using Raven.Documents.Settings;

namespace Raven.Documents.TimeSeries;

/// <summary>
/// Makes one point of each frame of a time series: of each raw value its first, last, least, greatest, sum and count,
/// in this order. Points come in the order of time. Only the first five raw values are rolled up: a point has no room
/// for more.
/// </summary>
internal sealed class RollupFrames(SeriesPeriod frame, bool isOfRollup, PointList target)
{
    /// <summary>How many values of a rolled point stand for one raw value.</summary>
    internal const int Parts = 6;

    private const int ColumnsMax = 5;

    private readonly Part[] _parts = new Part[ColumnsMax];
    private int _width;
    private long _end = -1;

    /// <summary>The frame that is open; -1 for none.</summary>
    internal long Start { get; private set; } = -1;

    /// <summary>Adds a point; the frame before is written when the first point behind it comes.</summary>
    internal void Add(long time, ReadOnlySpan<double> values)
    {
        if (time >= _end)
        {
            End();
            Start = frame.FloorOf(time);
            _end = frame.NextOf(Start);
        }

        int step = isOfRollup ? Parts : 1;
        int columns = Math.Min(ColumnsMax, values.Length / step);
        for (int i = 0; i < columns; i++)
        {
            ReadOnlySpan<double> value = values.Slice(i * step, step);
            _parts[i].Add(isOfRollup ? new Part(value) : new Part(value[0]), isFirst: i >= _width);
        }

        _width = Math.Max(_width, columns);
    }

    /// <summary>Writes the open frame.</summary>
    internal void End()
    {
        if (Start >= 0 && _width != 0)
        {
            Span<double> values = stackalloc double[Parts * ColumnsMax];
            for (int i = 0; i < _width; i++)
            {
                _parts[i].Write(values[(i * Parts)..]);
            }

            target.Add(Start, values[..(_width * Parts)], default);
        }

        Start = -1;
        _end = -1;
        _width = 0;
    }

    private struct Part
    {
        private double _first;
        private double _last;
        private double _min;
        private double _max;
        private double _sum;
        private double _count;

        internal Part(double value)
        {
            (_first, _last, _min, _max, _sum) = (value, value, value, value, value);
            _count = 1;
        }

        internal Part(ReadOnlySpan<double> rolled)
        {
            (_first, _last, _min) = (rolled[0], rolled[1], rolled[2]);
            (_max, _sum, _count) = (rolled[3], rolled[4], rolled[5]);
        }

        internal void Add(Part later, bool isFirst)
        {
            if (isFirst)
            {
                this = later;
                return;
            }

            _last = later._last;
            _min = Math.Min(_min, later._min);
            _max = Math.Max(_max, later._max);
            _sum += later._sum;
            _count += later._count;
        }

        internal readonly void Write(Span<double> target)
        {
            target[0] = _first;
            target[1] = _last;
            target[2] = _min;
            target[3] = _max;
            // The sum of finite values may be none: a point holds finite values only.
            target[4] = Math.Clamp(_sum, double.MinValue, double.MaxValue);
            target[5] = _count;
        }
    }
}
