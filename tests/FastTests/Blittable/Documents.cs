using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

/// <summary>The two steps that nearly every test of documents starts or ends with.</summary>
internal static class Documents
{
    internal static BlittableValue Parse(
        OperationContext context, string json, BlittableMode mode = BlittableMode.ToMemory)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(json);
        bool parsed = context.Parser.TryParseValue(utf8, mode, out BlittableValue value, out JsonError error);
        Assert.True(parsed, error.ToString());
        return value;
    }

    internal static string ToJson(BlittableValue value, JsonOutputOptions? options = null)
    {
        ArrayBufferWriter<byte> target = new();
        BlittableToJson.Write(value, target, options ?? JsonOutputOptions.Original);
        return Encoding.UTF8.GetString(target.WrittenSpan);
    }

    internal static void AssertValid(BlittableValue value) => AssertValid(value.Memory.Span);

    internal static void AssertValid(ReadOnlySpan<byte> document) =>
        Assert.True(BlittableValidator.TryValidate(document, out BlittableError error), error.ToString());

    /// <summary>Feeds a chunk as a caller does that holds one value: on after its end, up to an error.</summary>
    internal static void Feed(JsonToBlittable parser, ReadOnlySpan<byte> chunk)
    {
        while (chunk.Length > 0 && parser.Feed(chunk, out int consumed) != JsonParseStatus.Invalid)
        {
            chunk = chunk[consumed..];
        }
    }
}
