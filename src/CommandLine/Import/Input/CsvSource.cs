using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace Raven.CommandLine.Import.Input;

/// <summary>
/// Makes a document of every row: the first row names the properties. A JSON number or true/false becomes one, an empty
/// field null, everything else and every quoted field a string. The type of a column can be given; a column of mixed
/// texts and numbers without a type is reported.
/// </summary>
internal sealed class CsvSource : IDocumentSource, IDisposable
{
    private readonly string _file;
    private readonly CsvReader _reader;
    private readonly SourceOptions _options;
    private readonly ArrayBufferWriter<byte> _output = new(4096);
    private readonly Utf8JsonWriter _writer;
    private JsonEncodedText[]? _names;
    private CsvColumnType[] _types = [];
    private (long Texts, long Others)[] _counts = [];
    private byte[] _unescaped = new byte[256];

    internal CsvSource(string file, Stream stream, SourceOptions options)
    {
        _file = file;
        _reader = new CsvReader(file, stream, options.Separator);
        _options = options;
        _writer = new Utf8JsonWriter(_output, new JsonWriterOptions { SkipValidation = true });
    }

    public long Line => _reader.Line;

    /// <summary>A sentence for each column that had texts and numbers so far.</summary>
    internal IEnumerable<string> MixedColumns()
    {
        for (int index = 0; index < _counts.Length; index++)
        {
            (long texts, long others) = _counts[index];
            if (texts > 0 && others > 0 && _types[index] == CsvColumnType.Auto)
            {
                string name = _names![index].Value;
                yield return string.Create(
                    CultureInfo.InvariantCulture,
                    $"{_file}: column '{name}' is text in {texts} rows, and number or boolean in {others}. "
                    + $"--column {name}=text makes all of them texts.");
            }
        }
    }

    public void Dispose() => _writer.Dispose();

    public bool TryRead(out ReadOnlyMemory<byte> document)
    {
        document = default;
        if (_names is null)
        {
            if (!_reader.TryReadRow())
            {
                return false;
            }

            _names = ReadNames();
        }

        if (!_reader.TryReadRow())
        {
            return false;
        }

        if (_reader.FieldCount != _names.Length)
        {
            throw FieldCountError(_names.Length);
        }

        _output.ResetWrittenCount();
        _writer.Reset();
        _writer.WriteStartObject();
        for (int index = 0; index < _names.Length; index++)
        {
            _writer.WritePropertyName(_names[index]);
            WriteValue(index);
        }

        _writer.WriteEndObject();
        _writer.Flush();
        document = _output.WrittenMemory;
        return true;
    }

    private JsonEncodedText[] ReadNames()
    {
        var names = new JsonEncodedText[_reader.FieldCount];
        var seen = new HashSet<string>(StringComparer.Ordinal);
        _types = new CsvColumnType[names.Length];
        _counts = new (long, long)[names.Length];
        for (int index = 0; index < names.Length; index++)
        {
            ReadOnlySpan<byte> name = Text(index);
            name = index == 0 && name.StartsWith("\uFEFF"u8) ? name[3..] : name;
            string text = Encoding.UTF8.GetString(name);
            if (name.IsEmpty || !Utf8.IsValid(name) || !seen.Add(text))
            {
                throw Error(
                    index, 0, $"column {index + 1} of the header is empty, not UTF-8, or there twice: '{text}'");
            }

            names[index] = JsonEncodedText.Encode(text);
            _types[index] = _options.Columns.GetValueOrDefault(
                text, _options.StringsOnly ? CsvColumnType.Text : CsvColumnType.Auto);
        }

        if (_options.Columns.Keys.FirstOrDefault(column => !seen.Contains(column)) is { } missing)
        {
            throw Error(0, 0, $"--column names '{missing}', and the header has no such column");
        }

        return names;
    }

    private void WriteValue(int index)
    {
        ReadOnlySpan<byte> field = Text(index);
        CsvColumnType type = _types[index];
        bool isPlain = !_options.StringsOnly && !_reader.IsQuoted(index);
        if (isPlain && field.IsEmpty)
        {
            _writer.WriteNullValue();
            return;
        }

        if (type != CsvColumnType.Text && (isPlain || type != CsvColumnType.Auto))
        {
            if (type != CsvColumnType.Number && (field.SequenceEqual("true"u8) || field.SequenceEqual("false"u8)))
            {
                _writer.WriteBooleanValue(field.Length == 4);
                _counts[index].Others++;
                return;
            }

            if (type != CsvColumnType.Boolean && IsNumber(field))
            {
                _writer.WriteRawValue(field, skipInputValidation: true);
                _counts[index].Others++;
                return;
            }
        }

        if (type is CsvColumnType.Number or CsvColumnType.Boolean)
        {
            string wanted = type.ToString().ToLowerInvariant();
            throw Error(
                index, 0,
                $"'{Encoding.UTF8.GetString(field)}' is no {wanted}, which --column {_names![index].Value} wants");
        }

        _counts[index].Texts++;
        if (!Utf8.IsValid(field))
        {
            throw Error(
                index, ValidLength(_reader.GetField(index)), $"field {index + 1} is not valid UTF-8");
        }

        _writer.WriteStringValue(field);
    }

    /// <summary>A row with too many fields is wrong at the first excess one, others at their end.</summary>
    private ImportFormatException FieldCountError(int expected)
    {
        int count = _reader.FieldCount;
        int at = Math.Min(count - 1, expected);
        int quote = _reader.IsQuoted(at) ? 1 : 0;
        int offset = count > expected ? -quote : _reader.GetField(at).Length + quote;
        return Error(at, offset, $"the row has {count} fields, the header has {expected}");
    }

    private ImportFormatException Error(int field, int offset, string reason)
    {
        (long line, long column) = _reader.PositionOf(field, offset);
        return new ImportFormatException(_file, line, column, reason);
    }

    private static int ValidLength(ReadOnlySpan<byte> text)
    {
        int length = 0;
        while (Rune.DecodeFromUtf8(text[length..], out _, out int consumed) == OperationStatus.Done)
        {
            length += consumed;
        }

        return length;
    }

    /// <summary>The bytes of a field with its doubled quotes halved.</summary>
    private ReadOnlySpan<byte> Text(int index)
    {
        ReadOnlySpan<byte> field = _reader.GetField(index);
        if (!_reader.IsEscaped(index))
        {
            return field;
        }

        if (_unescaped.Length < field.Length)
        {
            _unescaped = new byte[field.Length * 2];
        }

        int length = 0;
        for (int at = 0; at < field.Length; at++)
        {
            _unescaped[length++] = field[at];
            at += field[at] == (byte)'"' ? 1 : 0;
        }

        return _unescaped.AsSpan(0, length);
    }

    /// <summary>
    /// Whether the field is a number in JSON's grammar: -? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)?. A
    /// leading zero makes it a text, so that postal codes stay what they are.
    /// </summary>
    internal static bool IsNumber(ReadOnlySpan<byte> field)
    {
        ReadOnlySpan<byte> rest = field.StartsWith("-"u8) ? field[1..] : field;
        int digits = CountDigits(rest);
        if (digits == 0 || (digits > 1 && rest[0] == (byte)'0'))
        {
            return false;
        }

        rest = rest[digits..];
        if (rest.StartsWith("."u8))
        {
            digits = CountDigits(rest[1..]);
            if (digits == 0)
            {
                return false;
            }

            rest = rest[(digits + 1)..];
        }

        if (rest.IsEmpty)
        {
            return true;
        }

        if (rest[0] is not ((byte)'e' or (byte)'E'))
        {
            return false;
        }

        rest = rest[1..];
        rest = !rest.IsEmpty && rest[0] is (byte)'+' or (byte)'-' ? rest[1..] : rest;
        return !rest.IsEmpty && CountDigits(rest) == rest.Length && Utf8Parser.TryParse(field, out double value, out _)
            && double.IsFinite(value);
    }

    private static int CountDigits(ReadOnlySpan<byte> text)
    {
        int other = text.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return other < 0 ? text.Length : other;
    }
}
