using System.Globalization;
using System.Text;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Entries of a time series as CSV: a column <c>Timestamp</c>, perhaps one <c>Tag</c>, and one of each value. What a
/// row has no more values for is empty, or not there.
/// </summary>
internal sealed class SeriesCsvRows : ISeriesRows
{
    private const int RowSizeBytesMax = 64 * 1024;
    private const int CellsMax = PointList.ValuesMax + 2;

    private readonly CsvParser _parser = new(new CsvOptions(), RowSizeBytesMax, CellsMax);
    private readonly List<int> _values = [];
    private int _time = -1;
    private int _tag = -1;
    private int _columns;

    public bool TryRead(ReadOnlySpan<byte> bytes, out int consumed) => _parser.TryRead(bytes, out consumed);

    public bool TryEnd() => _parser.TryEnd() || (_columns == 0 ? throw _parser.Refuse("it has no header") : false);

    public void AddTo(PointList points)
    {
        if (_columns == 0)
        {
            ReadHeader();
            return;
        }

        int cells = _parser.CellCount;
        if (cells > _columns)
        {
            throw Refuse($"has {cells} cells, and the header {_columns}");
        }

        if (_time >= cells || !SeriesTexts.TryReadTime(_parser.Cell(_time), out long time))
        {
            throw Refuse("has no time");
        }

        ReadOnlySpan<byte> tag = _tag >= 0 && _tag < cells ? _parser.Cell(_tag) : default;
        if (tag.Length > PointList.TagSizeBytesMax)
        {
            throw Refuse($"has a tag of {tag.Length} bytes, and {PointList.TagSizeBytesMax} is the most");
        }

        Span<double> values = stackalloc double[PointList.ValuesMax];
        points.Add(time, values[..ReadValues(values)], tag);
    }

    private int ReadValues(Span<double> values)
    {
        int count = 0;
        bool isEnd = false;
        for (int i = 0; i < _values.Count; i++)
        {
            int cell = _values[i];
            if (cell >= _parser.CellCount || _parser.Cell(cell).IsEmpty)
            {
                isEnd = true;
                continue;
            }

            if (isEnd)
            {
                throw Refuse($"has a value in column {cell + 1}, and none before it");
            }

            if (!double.TryParse(
                    _parser.Cell(cell), NumberStyles.Float, CultureInfo.InvariantCulture, out values[count])
                || !double.IsFinite(values[count]))
            {
                throw Refuse($"has no finite number in column {cell + 1}");
            }

            count++;
        }

        return count > 0 ? count : throw Refuse("has no value");
    }

    private void ReadHeader()
    {
        for (int i = 0; i < _parser.CellCount; i++)
        {
            string name = Encoding.UTF8.GetString(_parser.Cell(i));
            if (name.Equals("Timestamp", StringComparison.OrdinalIgnoreCase) && _time < 0)
            {
                _time = i;
            }
            else if (name.Equals("Tag", StringComparison.OrdinalIgnoreCase) && _tag < 0)
            {
                _tag = i;
            }
            else if (string.IsNullOrWhiteSpace(name))
            {
                throw _parser.Refuse($"column {i + 1} has no name");
            }
            else
            {
                _values.Add(i);
            }
        }

        if (_time < 0 || _values.Count is 0 or > PointList.ValuesMax)
        {
            throw _parser.Refuse(
                $"the header must have Timestamp and the names of 1 to {PointList.ValuesMax} values, perhaps Tag");
        }

        _columns = _parser.CellCount;
    }

    private RefusedException Refuse(string problem) => new(
        RefusalReason.Argument, $"The CSV is broken: the row that begins in line {_parser.Line} {problem}.");
}
