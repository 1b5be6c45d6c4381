using System.Buffers;
using System.Text.Json;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Entries of a time series as JSON, one object in each line: <c>{"Timestamp","Tag","Values"}</c>. Other members are
/// passed over, and so are empty lines.
/// </summary>
internal sealed class SeriesJsonRows : ISeriesRows
{
    private const int LineSizeBytesMax = 64 * 1024;

    /// <summary>Each byte of a tag may be written as an escape of six.</summary>
    private const int EscapedTagSizeMax = 6 * PointList.TagSizeBytesMax;

    /// <summary>What follows an object is told apart from an object that is none.</summary>
    private static readonly JsonReaderOptions Options = new() { AllowMultipleValues = true };

    private readonly ArrayBufferWriter<byte> _line = new(256);
    private long _number = 1;
    private bool _isDone;

    public bool TryRead(ReadOnlySpan<byte> bytes, out int consumed)
    {
        if (_isDone)
        {
            _isDone = false;
            _line.ResetWrittenCount();
            _number++;
        }

        int end = bytes.IndexOf((byte)'\n');
        ReadOnlySpan<byte> piece = end < 0 ? bytes : bytes[..end];
        if (_line.WrittenCount + piece.Length > LineSizeBytesMax)
        {
            throw Refuse($"it has more than {LineSizeBytesMax} bytes");
        }

        _line.Write(piece);
        consumed = end < 0 ? bytes.Length : end + 1;
        _isDone = end >= 0;
        return _isDone;
    }

    public bool TryEnd() => !_isDone && _line.WrittenCount > 0;

    public void AddTo(PointList points)
    {
        ReadOnlySpan<byte> line = _line.WrittenSpan.Trim(" \t\r"u8);
        if (line.IsEmpty)
        {
            return;
        }

        try
        {
            Read(line, points);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // The latter: a text with half a character.
            throw Refuse("it is no JSON object");
        }
    }

    private void Read(ReadOnlySpan<byte> line, PointList points)
    {
        var reader = new Utf8JsonReader(line, Options);
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
        {
            throw Refuse("it is no JSON object");
        }

        Span<double> values = stackalloc double[PointList.ValuesMax];
        Span<byte> tag = stackalloc byte[EscapedTagSizeMax];
        int count = 0;
        int tagLength = 0;
        long? time = null;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("Timestamp"u8))
            {
                time = ReadTime(ref reader);
            }
            else if (reader.ValueTextEquals("Tag"u8))
            {
                tagLength = ReadTag(ref reader, tag);
            }
            else if (reader.ValueTextEquals("Values"u8))
            {
                count = ReadValues(ref reader, values);
            }
            else
            {
                reader.Skip();
            }
        }

        if (reader.Read())
        {
            throw Refuse("something follows the object");
        }

        points.Add(
            time ?? throw Refuse("it has no Timestamp"),
            count > 0 ? values[..count] : throw Refuse("it has no Values"), tag[..tagLength]);
    }

    private long ReadTime(ref Utf8JsonReader reader)
    {
        reader.Read();
        bool isText = reader.TokenType == JsonTokenType.String && !reader.ValueIsEscaped;
        return (isText || reader.TokenType == JsonTokenType.Number)
            && SeriesTexts.TryReadTime(reader.ValueSpan, out long time)
                ? time
                : throw Refuse("Timestamp is no time");
    }

    private int ReadTag(ref Utf8JsonReader reader, scoped Span<byte> tag)
    {
        reader.Read();
        if (reader.TokenType == JsonTokenType.Null)
        {
            return 0;
        }

        if (reader.TokenType != JsonTokenType.String)
        {
            throw Refuse("Tag is no text");
        }

        int length = reader.ValueSpan.Length <= tag.Length ? reader.CopyString(tag) : tag.Length;
        return length <= PointList.TagSizeBytesMax
            ? length
            : throw Refuse($"Tag has more than {PointList.TagSizeBytesMax} bytes");
    }

    private int ReadValues(ref Utf8JsonReader reader, scoped Span<double> values)
    {
        reader.Read();
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw Refuse("Values is no list");
        }

        int count = 0;
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (count == values.Length)
            {
                throw Refuse($"Values has more than {values.Length} numbers");
            }

            if (reader.TokenType != JsonTokenType.Number || !reader.TryGetDouble(out values[count])
                || !double.IsFinite(values[count]))
            {
                throw Refuse($"Values[{count}] is no finite number");
            }

            count++;
        }

        return count;
    }

    private RefusedException Refuse(string problem) =>
        new(RefusalReason.Argument, $"The JSON lines are broken in line {_number}: {problem}.");
}
