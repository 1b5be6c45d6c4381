using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Documents.Revisions;

/// <summary>
/// The difference of two documents as a list of operations that make one of the other (RFC 6902, JSON Patch), each with
/// the value that was there before as <c>old</c>. Arrays are compared place by place.
/// </summary>
public ref struct DocumentDiff
{
    private readonly List<byte> _path;
    private JsonOutput _json;

    private DocumentDiff(JsonOutput json)
    {
        _json = json;
        _path = [];
    }

    /// <summary>Writes the operations that turn one document into the other.</summary>
    /// <param name="json">Takes the operations, in the place of a value.</param>
    /// <param name="from">The document before.</param>
    /// <param name="to">The document after.</param>
    public static void Write(ref JsonOutput json, BlittableObject from, BlittableObject to)
    {
        var diff = new DocumentDiff(json);
        diff._json.StartArray();
        diff.Compare(from, to);
        diff._json.EndArray();
        json = diff._json;
    }

    /// <summary>True if two values are the same JSON.</summary>
    internal static bool AreEqual(BlittableValue left, BlittableValue right)
    {
        if (left.TryGetObject(out BlittableObject one) && right.TryGetObject(out BlittableObject other))
        {
            bool isEqual = one.Count == other.Count;
            for (int i = 0; isEqual && i < one.Count; i++)
            {
                BlittableProperty property = one.GetProperty(i);
                isEqual = other.TryGet(property.Name, out BlittableValue value) && AreEqual(property.Value, value);
            }

            return isEqual;
        }

        if (left.TryGetArray(out BlittableArray list) && right.TryGetArray(out BlittableArray otherList))
        {
            bool isEqual = list.Count == otherList.Count;
            for (int i = 0; isEqual && i < list.Count; i++)
            {
                isEqual = AreEqual(list[i], otherList[i]);
            }

            return isEqual;
        }

        if (left.TryGetDecimal(out decimal number) && right.TryGetDecimal(out decimal otherNumber))
        {
            // 1.50 is 1.5.
            return number == otherNumber;
        }

        return left.Kind == right.Kind && left.Kind is not (ValueKind.Object or ValueKind.Array)
            && Text(left) == Text(right);
    }

    private static string Text(BlittableValue value)
    {
        if (value.TryGetString(out string text))
        {
            return text;
        }

        Span<byte> number = stackalloc byte[512];
        return value.Kind is ValueKind.Integer or ValueKind.Number && value.TryFormatNumber(number, out int length)
            ? Encoding.ASCII.GetString(number[..length])
            : value.TryGetBoolean(out bool isTrue) && isTrue ? "true" : "";
    }

    private void Compare(BlittableObject from, BlittableObject to)
    {
        for (int i = 0; i < from.Count; i++)
        {
            BlittableProperty property = from.GetProperty(i);
            int length = Enter(property.Name);
            if (to.TryGet(property.Name, out BlittableValue value))
            {
                Compare(property.Value, value);
            }
            else
            {
                WriteOperation("remove"u8, hasOld: true, property.Value, hasNew: false, default);
            }

            Leave(length);
        }

        for (int i = 0; i < to.Count; i++)
        {
            BlittableProperty property = to.GetProperty(i);
            if (from.IndexOf(property.Name) < 0)
            {
                int length = Enter(property.Name);
                WriteOperation("add"u8, hasOld: false, default, hasNew: true, property.Value);
                Leave(length);
            }
        }
    }

    private void Compare(BlittableValue from, BlittableValue to)
    {
        if (from.TryGetObject(out BlittableObject one) && to.TryGetObject(out BlittableObject other))
        {
            Compare(one, other);
        }
        else if (from.TryGetArray(out BlittableArray list) && to.TryGetArray(out BlittableArray otherList))
        {
            Compare(list, otherList);
        }
        else if (!AreEqual(from, to))
        {
            WriteOperation("replace"u8, hasOld: true, from, hasNew: true, to);
        }
    }

    private void Compare(BlittableArray from, BlittableArray to)
    {
        for (int i = 0; i < Math.Min(from.Count, to.Count); i++)
        {
            int length = Enter(i);
            Compare(from[i], to[i]);
            Leave(length);
        }

        // From the end on, so that each index still is valid when it is removed.
        for (int i = from.Count - 1; i >= to.Count; i--)
        {
            int length = Enter(i);
            WriteOperation("remove"u8, hasOld: true, from[i], hasNew: false, default);
            Leave(length);
        }

        for (int i = from.Count; i < to.Count; i++)
        {
            int length = Enter(i);
            WriteOperation("add"u8, hasOld: false, default, hasNew: true, to[i]);
            Leave(length);
        }
    }

    private void WriteOperation(
        ReadOnlySpan<byte> operation, bool hasOld, BlittableValue old, bool hasNew, BlittableValue value)
    {
        _json.StartObject();
        _json.Name("op"u8);
        _json.String(operation);
        _json.Name("path"u8);
        _json.String(CollectionsMarshal.AsSpan(_path));
        if (hasNew)
        {
            _json.Name("value"u8);
            _json.Value(value);
        }

        if (hasOld)
        {
            _json.Name("old"u8);
            _json.Value(old);
        }

        _json.EndObject();
    }

    private readonly int Enter(int index) => Enter(
        Encoding.ASCII.GetBytes(index.ToString(CultureInfo.InvariantCulture)));

    /// <summary>Appends a step of a JSON pointer (RFC 6901).</summary>
    private readonly int Enter(ReadOnlySpan<byte> name)
    {
        int length = _path.Count;
        _path.Add((byte)'/');
        foreach (byte one in name)
        {
            if (one is (byte)'~' or (byte)'/')
            {
                _path.Add((byte)'~');
                _path.Add(one == (byte)'~' ? (byte)'0' : (byte)'1');
            }
            else
            {
                _path.Add(one);
            }
        }

        return length;
    }

    private readonly void Leave(int length) => _path.RemoveRange(length, _path.Count - length);
}
