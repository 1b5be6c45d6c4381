using System.Text;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Values;
using Raven.Scripting;

namespace Raven.Documents.Schemas;

/// <summary>Reads the value of a keyword; errors say where it is.</summary>
/// <param name="Json">The value.</param>
/// <param name="Pointer">Its place in the schema.</param>
internal readonly record struct SchemaKeyword(JsonElement Json, string Pointer)
{
    /// <summary>Fails if something is wrong.</summary>
    internal void Refuse(bool isWrong, string why)
    {
        if (isWrong)
        {
            throw new FormatException($"#{Pointer} {why}.");
        }
    }

    internal string PlaceOf(string name) => $"{Pointer}/{SchemaPlaces.Escape(name)}";

    internal bool Bool()
    {
        Refuse(Json.ValueKind is not (JsonValueKind.True or JsonValueKind.False), "must be true or false");
        return Json.GetBoolean();
    }

    internal string Text()
    {
        Refuse(Json.ValueKind != JsonValueKind.String, "must be a text");
        return Json.GetString()!;
    }

    internal SchemaNumber Number()
    {
        Refuse(Json.ValueKind != JsonValueKind.Number, "must be a number");
        return new SchemaNumber(Json.GetRawText());
    }

    /// <summary>A whole number from 0 on; larger ones than an array can be long are as good as none.</summary>
    internal int Count()
    {
        bool isNumber = Json.ValueKind == JsonValueKind.Number && Json.TryGetDouble(out double _);
        double number = isNumber ? Json.GetDouble() : -1;
        Refuse(number < 0 || number != Math.Floor(number), "must be a whole number of at least 0");
        return (int)Math.Min(number, int.MaxValue);
    }

    internal JsonElement.ArrayEnumerator Array()
    {
        Refuse(Json.ValueKind != JsonValueKind.Array, "must be an array");
        return Json.EnumerateArray();
    }

    internal JsonElement.ObjectEnumerator Object()
    {
        Refuse(Json.ValueKind != JsonValueKind.Object, "must be an object");
        return Json.EnumerateObject();
    }

    internal TextPattern Pattern(string text)
    {
        try
        {
            return TextPattern.Compile(text);
        }
        catch (FormatException e)
        {
            throw new FormatException($"#{Pointer}: '{text}' is no pattern: {e.Message}");
        }
    }

    internal SchemaTypes Types()
    {
        SchemaTypes types = SchemaTypes.None;
        JsonElement[] all = Json.ValueKind == JsonValueKind.Array ? [.. Json.EnumerateArray()] : [Json];
        foreach (JsonElement one in all)
        {
            string? name = one.ValueKind == JsonValueKind.String ? one.GetString() : null;
            SchemaTypes type = name switch
            {
                "null" => SchemaTypes.Null,
                "boolean" => SchemaTypes.Boolean,
                "object" => SchemaTypes.Object,
                "array" => SchemaTypes.Array,
                "number" => SchemaTypes.Number,
                "string" => SchemaTypes.String,
                "integer" => SchemaTypes.Integer,
                _ => SchemaTypes.None,
            };
            Refuse(type == SchemaTypes.None, $"names the type {one.GetRawText()}, which there is not");
            types |= type;
        }

        Refuse(types == SchemaTypes.None, "must not be empty");
        return types;
    }

    /// <summary>Names, sorted, each once.</summary>
    internal byte[][] Names(JsonElement json)
    {
        Refuse(json.ValueKind != JsonValueKind.Array, "must be an array of names");
        List<byte[]> names = [];
        foreach (JsonElement one in json.EnumerateArray())
        {
            Refuse(one.ValueKind != JsonValueKind.String, "must be an array of names");
            byte[] name = Encoding.UTF8.GetBytes(one.GetString()!);
            if (!names.Exists(other => other.AsSpan().SequenceEqual(name)))
            {
                names.Add(name);
            }
        }

        names.Sort((one, other) => one.AsSpan().SequenceCompareTo(other));
        return [.. names];
    }

    /// <summary>A value in the form in which those of documents are compared with it.</summary>
    internal static byte[] BytesOf(JsonElement json)
    {
        using var context = new OperationContext();
        byte[] text = Encoding.UTF8.GetBytes($$"""{"V":{{json.GetRawText()}}}""");
        if (!context.Parser.TryParse(text, BlittableMode.ToDisk, out BlittableObject document, out JsonError error))
        {
            throw new FormatException(error.Reason);
        }

        var bytes = new ValueBytes();
        bytes.Add(document["V"u8], ignoresCase: false);
        return bytes.Of(0, bytes.Length).ToArray();
    }
}
