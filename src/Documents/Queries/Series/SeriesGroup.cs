namespace Raven.Documents.Queries.Series;

/// <summary>A group of entries of a time series: those of one frame, and of one second key if there is one.</summary>
internal sealed class SeriesGroup(long start, long end, object? key)
{
    private SeriesColumn[] _columns = new SeriesColumn[1];

    /// <summary>When it begins, in ms since 0001-01-01.</summary>
    internal long Start { get; } = start;

    /// <summary>When it ends; that time belongs to the next one.</summary>
    internal long End { get; private set; } = end;

    /// <summary>The second key.</summary>
    internal object? Key { get; } = key;

    /// <summary>How many columns have values.</summary>
    internal int Width { get; private set; }

    /// <summary>The columns.</summary>
    internal ReadOnlySpan<SeriesColumn> Columns => _columns.AsSpan(0, Width);

    /// <summary>Adds an entry.</summary>
    /// <param name="time">Its time.</param>
    /// <param name="values">Its values.</param>
    /// <param name="isRollup">Whether six of them stand for one value.</param>
    /// <param name="needs">What will be asked of the values.</param>
    internal void Add(long time, ReadOnlySpan<double> values, bool isRollup, SeriesNeeds needs)
    {
        int step = isRollup ? 6 : 1;
        int width = values.Length / step;
        if (width > _columns.Length)
        {
            Array.Resize(ref _columns, width);
        }

        Width = Math.Max(Width, width);
        for (int i = 0; i < width; i++)
        {
            if (isRollup)
            {
                _columns[i].Add(time, values.Slice(i * 6, 6));
            }
            else
            {
                _columns[i].Add(time, values[i], needs);
            }
        }
    }

    /// <summary>Makes it end later.</summary>
    internal void Extend(long end) => End = end;
}
