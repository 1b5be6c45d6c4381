using System.Globalization;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.CommandLine.Inspect.Verbs;

/// <summary>Writes a line for each part of a document, in the order of its bytes.</summary>
internal sealed class DocumentDrawing
{
    private const int BytesPerLine = 16;
    private const int TextLengthMax = 60;

    private readonly TextWriter _output;
    private readonly BlittableValue _root;
    private readonly List<Part> _parts = [];

    internal DocumentDrawing(BlittableValue root, TextWriter output)
    {
        _root = root;
        _output = output;
    }

    private readonly record struct Part(int Position, int Length, string Meaning);

    internal void Draw()
    {
        AddValue(_root, "the root");
        AddNamesAndTrailer();
        byte[] bytes = _root.Memory.Span.ToArray();
        int end = 0;
        foreach (Part part in _parts.OrderBy(part => part.Position))
        {
            if (part.Position > end)
            {
                Write(bytes, end, part.Position - end, "a filler, for the original order");
            }

            Write(bytes, part.Position, part.Length, part.Meaning);
            end = part.Position + part.Length;
        }
    }

    private void Write(byte[] bytes, int position, int length, string meaning)
    {
        for (int at = 0; at < length; at += BytesPerLine)
        {
            string hex = string.Join(' ', bytes.Skip(position + at).Take(Math.Min(BytesPerLine, length - at))
                .Select(value => value.ToString("X2", CultureInfo.InvariantCulture)));
            string line = $"{position + at,6}  {hex,-(BytesPerLine * 3) - 1} {(at == 0 ? meaning : string.Empty)}";
            _output.WriteLine(line.TrimEnd());
        }
    }

    private void Add(int position, int length, string meaning) => _parts.Add(new Part(position, length, meaning));

    private void AddValue(BlittableValue value, string name)
    {
        switch (value.Kind)
        {
            case ValueKind.Object when value.AsObject().Count > 0:
                AddObject(value, name);
                break;
            case ValueKind.Array when value.AsArray().Count > 0:
                AddArray(value, name);
                break;
            default:
                if (!BlittableToken.HasNoBytes(value.Token))
                {
                    ref byte start = ref System.Runtime.CompilerServices.Unsafe.Add(
                        ref value.Document.First, value.Position);
                    Add(value.Position, StoredValue.LengthOf(ref start, value.Token), $"{name}: {Describe(value)}");
                }

                break;
        }
    }

    private void AddObject(BlittableValue value, string name)
    {
        BlittableObject members = value.AsObject();
        int offsetSize = 1 << BlittableToken.OffsetSizeCode(value.Token);
        int entrySize = offsetSize + (1 << BlittableToken.IdSizeCode(value.Token)) + 1;
        int countLength = VariableLengthInteger.LengthOf((ulong)members.Count);
        Add(value.Position, countLength, $"{name}: object of {members.Count}, offsets of {offsetSize}");
        for (int i = 0; i < members.Count; i++)
        {
            members.ReadEntry(i, out int position, out int id, out byte token);
            BlittableProperty property = members.GetProperty(i);
            Add(
                value.Position + countLength + (i * entrySize), entrySize,
                $"  {property.GetName()} (name {id}) at {position}: {DescribeToken(token)}");
            AddValue(property.Value, property.GetName());
        }
    }

    private void AddArray(BlittableValue value, string name)
    {
        BlittableArray elements = value.AsArray();
        int size = 1 << BlittableToken.OffsetSizeCode(value.Token);
        int countLength = VariableLengthInteger.LengthOf((ulong)elements.Count);
        int tokens = (value.Token & BlittableToken.UniformElements) != 0 ? 1 : elements.Count;
        Add(value.Position, countLength, $"{name}: array of {elements.Count}");
        IEnumerable<int> shown = Enumerable.Range(0, Math.Min(elements.Count, 8));
        string starts = string.Join(", ", shown.Select(i => elements[i].Position));
        int offsets = value.Position + countLength;
        Add(offsets, elements.Count * size, $"  offsets of {size}: at {starts}{(elements.Count > 8 ? ", ..." : "")}");
        string kinds = string.Join(", ", Enumerable.Range(0, Math.Min(tokens, 8)).Select(
            i => DescribeToken(elements[i].Token)));
        Add(offsets + (elements.Count * size), tokens, tokens < elements.Count ? $"  all: {kinds}" : $"  {kinds}");
        for (int i = 0; i < elements.Count; i++)
        {
            AddValue(elements[i], $"{name}[{i}]");
        }
    }

    private void AddNamesAndTrailer()
    {
        BlittableDocument document = _root.Document;
        int sizeCode = document.NameSizeCode;
        int trailer = TrailerStart(document.Memory.Span);
        int count = (trailer - document.NameOffsets) >> sizeCode;
        int end = document.NameTable;
        for (int id = count - 1; id >= 0; id--)
        {
            int position = document.NamePosition(id);
            string text = Encoding.UTF8.GetString(NameTable.TextAt(ref document.First, position));
            Add(position, end - position, $"name {id}: {Shorten(text)}");
            end = position;
        }

        Add(document.NameTable, trailer - document.NameTable, $"name table: {count} names, offsets of {1 << sizeCode}");
        Add(
            trailer, document.Memory.Length - trailer,
            $"trailer: root at {_root.Position}, names at {document.NameTable}, {DescribeToken(_root.Token)}"
                + $", version {BlittableFormat.Version}");
    }

    private static int TrailerStart(ReadOnlySpan<byte> document) => document.Length - 2 - (2 << (document[^1] & 3));

    private static string Describe(BlittableValue value)
    {
        string kind = DescribeToken(value.Token);
        if (value.TryGetString(out string text))
        {
            return $"{kind} {Shorten(text)}";
        }

        Span<byte> number = new byte[Math.Max(64, value.Memory.Length)];
        return value.TryFormatNumber(number, out int written)
            ? $"{kind} {Shorten(Encoding.ASCII.GetString(number[..written]))}"
            : kind;
    }

    private static string Shorten(string text)
    {
        string visible = string.Concat(text.Select(c => c < ' ' ? '.' : c));
        return visible.Length <= TextLengthMax ? visible : visible[..TextLengthMax] + "...";
    }

    private static string DescribeToken(byte token)
    {
        string escapes = (token & BlittableToken.HasEscapes) != 0 ? ", escapes" : string.Empty;
        bool empty = BlittableToken.HasNoBytes(token);
        return (token & BlittableToken.KindMask) switch
        {
            BlittableToken.Null => "null",
            BlittableToken.False => "false",
            BlittableToken.True => "true",
            BlittableToken.Integer => "integer",
            BlittableToken.Decimal => "decimal",
            BlittableToken.NumberText => "number as text",
            BlittableToken.EmptyString => "empty string",
            BlittableToken.String => $"string{escapes}",
            BlittableToken.ShortString or BlittableToken.LongDictionaryString =>
                $"string by the dictionary of {((token & BlittableToken.ByPairs) != 0 ? "pairs" : "pieces")}{escapes}",
            BlittableToken.Lz4String => $"string by LZ4{escapes}",
            BlittableToken.Object => empty ? "empty object" : "object",
            _ => empty ? "empty array" : "array",
        };
    }
}
