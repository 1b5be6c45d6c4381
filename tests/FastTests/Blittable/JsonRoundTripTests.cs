using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

public sealed class JsonRoundTripTests : IDisposable
{
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Theory]
    [InlineData("""{}""")]
    [InlineData("""{"a":1}""")]
    [InlineData("""{"Name":"Oren","Dogs":["Arava","Oscar","Phoebe"],"Age":34,"Office":{"Name":"Rhinos","City":"Hadera"}}""")]
    [InlineData("""{"b":null,"a":true,"c":false,"e":"","d":{},"f":[]}""")]
    [InlineData("""{"x":{"b":null,"a":null},"y":{"a":null,"b":null},"z":{"a":"","b":{}}}""")]
    [InlineData("""{"n":[0,-1,9223372036854775807,-9223372036854775808,9223372036854775808,1.0,-0.5,1e400,-0,-0.0]}""")]
    [InlineData("""{"n":[0.000000000000000000000001,123456789012345678.5,12345678901234567.5,100000000000000000000]}""")]
    [InlineData("""{"s":"a\"b\\c\nd\u0001e\u0000","\n\"":"שלום 🐦 é"}""")]
    [InlineData("""[1,[2,[3,[]]],{"a":[{}]}]""")]
    [InlineData("\"scalar\"")]
    [InlineData("12.50")]
    [InlineData("null")]
    public void Json_comes_back_as_it_was(string json)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(json);
        Assert.True(_context.Parser.TryParseValue(utf8, BlittableMode.ToMemory, out BlittableValue value, out JsonError e), e.Reason);
        Assert.True(BlittableValidator.TryValidate(value.Memory.Span, out BlittableError error), error.ToString());
        Assert.Equal(json, Write(value, JsonOutputOptions.Original));
    }

    [Fact]
    public void Every_cut_of_the_input_gives_the_same_document()
    {
        byte[] json = Encoding.UTF8.GetBytes(
            """{"a\n":[1,-2.5e+3,true,false,null,""],"שלום":"a\\\"\u00e9\ud83d\udc26z","long":"0123456789012345678901234567890123456789","a":{}}  """);
        Assert.True(_context.Parser.TryParseValue(json, BlittableMode.ToMemory, out BlittableValue whole, out _));
        byte[] expected = whole.Memory.Span.ToArray();
        for (int first = 0; first <= json.Length; first++)
        {
            for (int second = first; second <= json.Length; second++)
            {
                JsonToBlittable parser = _context.Parser;
                parser.Begin(BlittableMode.ToMemory);
                FeedAll(parser, json.AsSpan(0, first));
                FeedAll(parser, json.AsSpan(first, second - first));
                FeedAll(parser, json.AsSpan(second));
                Assert.True(parser.TryFinish(out BlittableValue value), $"{first} {second} {parser.Error}");
                Assert.True(value.Memory.Span.SequenceEqual(expected), $"{first} {second}");
            }
        }
    }

    private static void FeedAll(JsonToBlittable parser, ReadOnlySpan<byte> chunk)
    {
        while (chunk.Length > 0 && parser.Feed(chunk, out int consumed) != JsonParseStatus.Invalid)
        {
            chunk = chunk[consumed..];
        }
    }

    private static string Write(BlittableValue value, JsonOutputOptions options)
    {
        ArrayBufferWriter<byte> target = new();
        BlittableToJson.Write(value, target, options);
        using JsonDocument valid = JsonDocument.Parse(target.WrittenMemory);
        return Encoding.UTF8.GetString(target.WrittenSpan);
    }
}
