using System.Buffers;
using System.Text;
using System.Text.Json;

namespace Raven.Documents.Smuggler;

/// <summary>The first row of a CSV file: the paths of the members that its cells become, such as <c>Address.City</c>.
/// </summary>
internal sealed class CsvHeader
{
    private const int DepthMax = 32;

    private readonly Node _root = new("");

    private CsvHeader(int count) => Count = count;

    /// <summary>How many columns there are.</summary>
    internal int Count { get; }

    /// <summary>Reads the row that a parser holds.</summary>
    /// <exception cref="RefusedException">A name is empty, there twice, or of both a value and an object.</exception>
    internal static CsvHeader Parse(CsvParser row)
    {
        var header = new CsvHeader(row.CellCount);
        for (int i = 0; i < row.CellCount; i++)
        {
            string path = Encoding.UTF8.GetString(row.Cell(i));
            string[] names = path switch
            {
                "@id" => ["@metadata", "@id"],
                "@collection" => ["@metadata", "@collection"],
                _ => path.Split('.'),
            };
            if (names.Length > DepthMax || names.Any(string.IsNullOrWhiteSpace))
            {
                throw row.Refuse($"column {i + 1} has no valid name: '{path}'");
            }

            if (!header._root.TryAdd(names, i))
            {
                throw row.Refuse($"'{path}' is the name of two columns, or of a value and an object");
            }
        }

        return header;
    }

    /// <summary>Writes the document of a row.</summary>
    /// <param name="row">The row, with as many cells.</param>
    /// <param name="collection">Its collection; null for what the row says.</param>
    /// <param name="target">Takes the JSON.</param>
    internal void Write(CsvParser row, string? collection, IBufferWriter<byte> target)
    {
        using var json = new Utf8JsonWriter(target);
        json.WriteStartObject();
        _root.WriteMembers(json, row, except: "@metadata");
        json.WriteStartObject("@metadata"u8);
        if (collection is not null)
        {
            json.WriteString("@collection"u8, collection);
        }

        if (_root.Find("@metadata") is { } metadata)
        {
            metadata.WriteMembers(json, row, except: collection is null ? null : "@collection");
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteCell(Utf8JsonWriter json, CsvParser row, int cell)
    {
        ReadOnlySpan<byte> text = row.Cell(cell);
        if (row.IsQuoted(cell) && (text.IsEmpty || text[0] is not ((byte)'{' or (byte)'[')))
        {
            json.WriteStringValue(text);
        }
        else if (text.IsEmpty)
        {
            json.WriteNullValue();
        }
        else if (IsJson(text))
        {
            json.WriteRawValue(text, skipInputValidation: true);
        }
        else
        {
            json.WriteStringValue(text);
        }
    }

    /// <summary>Whether a text is a JSON value other than a text: a number, true, false, null, an array, an object.
    /// </summary>
    private static bool IsJson(ReadOnlySpan<byte> text)
    {
        if (!"-0123456789tfn[{"u8.Contains(text[0]))
        {
            return false;
        }

        var reader = new Utf8JsonReader(text);
        try
        {
            return reader.Read() && (reader.TokenType is not (JsonTokenType.StartArray or JsonTokenType.StartObject)
                || reader.TrySkip()) && !reader.Read();
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private sealed class Node(string name)
    {
        private readonly List<Node> _children = [];
        private int _cell = -1;

        internal Node? Find(string child) => _children.Find(one => one.Name == child);

        private string Name => name;

        internal bool TryAdd(ReadOnlySpan<string> names, int cell)
        {
            Node? child = Find(names[0]);
            if (names.Length == 1)
            {
                if (child is not null)
                {
                    return false;
                }

                _children.Add(new Node(names[0]) { _cell = cell });
                return true;
            }

            if (child is null)
            {
                child = new Node(names[0]);
                _children.Add(child);
            }

            return child._cell < 0 && child.TryAdd(names[1..], cell);
        }

        internal void WriteMembers(Utf8JsonWriter json, CsvParser row, string? except)
        {
            foreach (Node child in _children)
            {
                if (child.Name == except || (child._cell >= 0 && IsLeftOut(child, row)))
                {
                    continue;
                }

                json.WritePropertyName(child.Name);
                if (child._cell >= 0)
                {
                    WriteCell(json, row, child._cell);
                }
                else
                {
                    json.WriteStartObject();
                    child.WriteMembers(json, row, except: null);
                    json.WriteEndObject();
                }
            }
        }

        /// <summary>A member of the metadata that a row leaves empty is not there.</summary>
        private static bool IsLeftOut(Node child, CsvParser row) =>
            child.Name.StartsWith('@') && row.Cell(child._cell).IsEmpty;
    }
}
