using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Json;

namespace Raven.Server.Http.Studio;

/// <summary>Documents as rows of a table: what the server knows of each, and some of its values, cut. One thread at a
/// time, while its snapshot is open.</summary>
/// <param name="fields">The paths of the values; none for the first members of each document.</param>
internal sealed class DocumentRows(IReadOnlyList<string> fields)
{
    /// <summary>How many members of a document are shown if no field is named.</summary>
    internal const int MembersMax = 20;

    /// <summary>How long a text of a row may be, in characters.</summary>
    internal const int CharactersMax = 200;

    private const int NameBytesMax = 512;
    private const int OrderedMax = 256;

    private readonly byte[][][] _paths = [.. fields.Select(FieldPath.NamesOf)];
    private readonly byte[][] _names = [.. fields.Select(Encoding.UTF8.GetBytes)];
    private readonly List<byte[]> _cut = [];
    private readonly int[] _order = new int[OrderedMax];

    /// <summary>Writes a row.</summary>
    internal void Write(ref JsonOutput json, in StoredDocument document)
    {
        BlittableObject data = document.Data;
        _cut.Clear();
        json.StartObject();
        json.RawName("\"Id\":"u8);
        json.String(document.Id.Span);
        json.RawName("\"Etag\":"u8);
        json.Number(document.Etag);
        json.RawName("\"Collection\":"u8);
        json.String(document.Collection);
        json.RawName("\"ChangeVector\":"u8);
        json.String(document.ChangeVector.Span);
        json.RawName("\"LastModified\":"u8);
        DocumentJson.WriteDate(ref json, document.LastModifiedTicks);
        json.RawName("\"SizeBytes\":"u8);
        json.Number(data.Memory.Length);
        json.RawName("\"Members\":"u8);
        json.Number(data.IndexOf("@metadata"u8) < 0 ? data.Count : data.Count - 1);
        json.RawName("\"Values\":"u8);
        json.StartObject();
        if (_names.Length == 0)
        {
            WriteFirst(ref json, data);
        }
        else
        {
            WriteNamed(ref json, data);
        }

        json.EndObject();
        json.RawName("\"Cut\":"u8);
        json.StartArray();
        foreach (byte[] name in _cut)
        {
            json.String(name);
        }

        json.EndArray();
        json.EndObject();
    }

    /// <summary>The first members, in the order in which they were written; of a document with very many, in that of
    /// their names.</summary>
    private void WriteFirst(ref JsonOutput json, BlittableObject data)
    {
        bool isOrdered = data.Count <= OrderedMax;
        if (isOrdered)
        {
            data.GetOriginalOrder(_order);
        }

        int shown = 0;
        for (int i = 0; i < data.Count && shown < MembersMax; i++)
        {
            BlittableProperty property = data.GetProperty(isOrdered ? _order[i] : i);
            if (property.Name.Length > NameBytesMax || property.Name.SequenceEqual("@metadata"u8))
            {
                continue;
            }

            shown++;
            WriteMember(ref json, property.Name, property.Value);
        }
    }

    private void WriteNamed(ref JsonOutput json, BlittableObject data)
    {
        for (int i = 0; i < _names.Length; i++)
        {
            if (data.TryGet(_names[i], out BlittableValue value) || TryFind(data, _paths[i], out value))
            {
                WriteMember(ref json, _names[i], value);
            }
        }
    }

    /// <summary>The value at a path through objects; at an array the path ends, and the array is its value.</summary>
    private static bool TryFind(BlittableObject data, byte[][] path, out BlittableValue value)
    {
        value = default;
        BlittableObject at = data;
        for (int i = 0; i < path.Length; i++)
        {
            if (!at.TryGet(path[i], out value))
            {
                return false;
            }

            if (!value.TryGetObject(out at))
            {
                return i == path.Length - 1 || value.TryGetArray(out _);
            }
        }

        return true;
    }

    private void WriteMember(ref JsonOutput json, ReadOnlySpan<byte> name, BlittableValue value)
    {
        json.Name(name);
        if (CutValue.Write(ref json, value, CharactersMax))
        {
            _cut.Add(name.ToArray());
        }
    }
}
