using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;

namespace Raven.Documents.Queries.Series;

/// <summary>A group of entries of a time series: those of one frame, and of one second key if there is one.</summary>
internal sealed class SeriesGroup
{
    /// <summary>How many values of a roll-up stand for one.</summary>
    internal const int PartsOfRollup = 6;

    /// <summary>Which of these is the sum.</summary>
    private const int SumOfRollup = 4;

    private SeriesColumn[] _columns = new SeriesColumn[1];

    /// <summary>When it begins, in ms since 0001-01-01.</summary>
    internal long Start { get; private set; }

    /// <summary>When it ends; that time belongs to the next one.</summary>
    internal long End { get; private set; }

    /// <summary>The second key.</summary>
    internal object? Key { get; private set; }

    /// <summary>How many columns have values.</summary>
    internal int Width { get; private set; }

    /// <summary>The columns.</summary>
    internal ReadOnlySpan<SeriesColumn> Columns => _columns.AsSpan(0, Width);

    /// <summary>Makes it an empty group.</summary>
    internal void Begin(long start, long end, object? key)
    {
        (Start, End, Key) = (start, end, key);
        foreach (ref SeriesColumn column in _columns.AsSpan(0, Width))
        {
            column.Clear();
        }

        Width = 0;
    }

    /// <summary>Adds an entry.</summary>
    /// <param name="time">Its time.</param>
    /// <param name="values">Its values.</param>
    /// <param name="isRollup">Whether six of them stand for one value.</param>
    /// <param name="needs">What will be asked of the values.</param>
    internal void Add(long time, ReadOnlySpan<double> values, bool isRollup, SeriesNeeds needs)
    {
        int width = values.Length / (isRollup ? PartsOfRollup : 1);
        Widen(width);
        for (int i = 0; i < width; i++)
        {
            if (isRollup)
            {
                _columns[i].Add(time, values.Slice(i * PartsOfRollup, PartsOfRollup));
            }
            else
            {
                _columns[i].Add(time, values[i], needs);
            }
        }
    }

    /// <summary>Adds entries of one value each.</summary>
    internal void Add(ReadOnlySpan<long> times, ReadOnlySpan<double> values)
    {
        Widen(1);
        _columns[0].Add(times[0], times[^1], values);
    }

    /// <summary>Adds all entries of a segment by what its head says of them.</summary>
    /// <returns>False if a sum becomes too great: nothing is added. Entry by entry it may not.</returns>
    internal bool TryAdd(TimeSeriesReader segment, bool isRollup)
    {
        int width = segment.Head.Width / (isRollup ? PartsOfRollup : 1);
        Widen(width);
        for (int i = 0; i < width; i++)
        {
            int sum = isRollup ? (i * PartsOfRollup) + SumOfRollup : i;
            if (!double.IsFinite(_columns[i].Sum + segment.Summary(sum).Sum))
            {
                return false;
            }
        }

        Span<ColumnSummary> parts = stackalloc ColumnSummary[PartsOfRollup];
        for (int i = 0; i < width; i++)
        {
            ColumnPart part;
            if (isRollup)
            {
                for (int k = 0; k < PartsOfRollup; k++)
                {
                    parts[k] = segment.Summary((i * PartsOfRollup) + k);
                }

                part = ColumnPart.OfRollup(parts);
            }
            else
            {
                part = ColumnPart.Of(segment.Summary(i));
            }

            _columns[i].Add(segment.Head.First, segment.Head.Last, in part);
        }

        return true;
    }

    /// <summary>Makes it end later.</summary>
    internal void Extend(long end) => End = end;

    private void Widen(int width)
    {
        if (width > _columns.Length)
        {
            Array.Resize(ref _columns, width);
        }

        Width = Math.Max(Width, width);
    }
}
