using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

/// <summary>What is refused, at which place, and that the cuts of the input do not matter.</summary>
public sealed class JsonErrorTests : IDisposable
{
    private readonly OperationContext _context = new();

    /// <summary>A text, the byte that makes it wrong, and a word of the reason. ~ stands for the byte 0xFF.</summary>
    public static TheoryData<string, int, string> Malformed => new()
    {
        { "", 0, "no value" },
        { "  \n", 3, "no value" },
        { "{", 1, "ends before" },
        { "{\"a\"", 4, "ends before" },
        { "{\"a\":", 5, "ends before" },
        { "{\"a\":1", 6, "ends before" },
        { "{\"a\":1,", 7, "ends before" },
        { "{\"a\":1,}", 7, "property name" },
        { "{,}", 1, "property name" },
        { "{a:1}", 1, "property name" },
        { "{'a':1}", 1, "property name" },
        { "{\"a\" 1}", 5, "colon" },
        { "{\"a\":1 \"b\":2}", 7, "comma or }" },
        { "{\"a\":1]", 6, "comma or }" },
        { "[1}", 2, "comma or ]" },
        { "[1,]", 3, "start a value" },
        { "[,1]", 1, "start a value" },
        { "[1 2]", 3, "comma or ]" },
        { "{}x", 2, "white space" },
        { "{} {}", 3, "white space" },
        { "{}\0", 2, "white space" },
        { "NaN", 0, "start a value" },
        { "[Infinity]", 1, "start a value" },
        { "[-Infinity]", 2, "digit" },
        { "[+1]", 1, "start a value" },
        { "[.5]", 1, "start a value" },
        { "[1.]", 3, "digit" },
        { "[1.e5]", 3, "digit" },
        { "[1e]", 3, "digit" },
        { "[1e+]", 4, "digit" },
        { "[01]", 2, "zero" },
        { "[-01]", 3, "zero" },
        { "[-]", 2, "digit" },
        { "-", 1, "digit" },
        { "5+", 1, "goes on" },
        { "[1-2]", 2, "goes on" },
        { "[1.2.3]", 4, "goes on" },
        { "[1e5e5]", 4, "goes on" },
        { "[0x10]", 2, "comma or ]" },
        { "[1_000]", 2, "comma or ]" },
        { "tru", 3, "ends before" },
        { "trux", 3, "words" },
        { "[nul]", 4, "words" },
        { "[True]", 1, "start a value" },
        { "\"abc", 4, "ends before" },
        { "\"a\nb\"", 2, "control" },
        { "\"a\tb\"", 2, "control" },
        { "\"\\", 2, "ends before" },
        { "\"\\\n\"", 2, "control" },
        { "\"ab\\x\"", 4, "escape" },
        { "\"\\u12G4\"", 5, "hexadecimal" },
        { "\"\\u12\"", 5, "hexadecimal" },
        { "\"x\\ud800\"", 2, "surrogate" },
        { "\"\\ud800\\u0041\"", 1, "surrogate" },
        { "\"\\ud800x\"", 1, "surrogate" },
        { "\"\\udc00\"", 1, "surrogate" },
        { "\"\\ud800\\ux\"", 9, "hexadecimal" },
        { "\"ab~\"", 3, "UTF-8" },
        { "{\"a~\":1}", 3, "UTF-8" },
        { "\"0123456789012345678901234567890123456789~\"", 41, "UTF-8" },
        { "\"ab~\\x\"", 3, "UTF-8" },
        { "\"ab\\x~\"", 4, "escape" },
        { "\"ab~\ncd\"", 3, "UTF-8" },
        { "~", 0, "start a value" },
        { "[1,\n 2,\n  x]", 10, "start a value" },
        { "{\"a\":1,\"b\":2,\"a\":3}", 13, "property \"a\" already" },
        { "{\"a\":1,\"\\u0061\":3}", 7, "property \"a\" already" },
        { "{\"x\":{\"a\":{},\"b\":[],\"b\":1}}", 20, "property \"b\" already" },
        { "/* c */ 1", 0, "start a value" },
        { "[1] // c", 4, "white space" },
    };

    public void Dispose() => _context.Dispose();

    [Theory]
    [Trait("Invariant", "STR-1")]
    [Trait("Invariant", "STR-2")]
    [MemberData(nameof(Malformed))]
    public void A_malformed_text_is_refused_at_its_exact_byte(string text, int at, string reason)
    {
        byte[] json = ToBytes(text);
        Assert.False(_context.Parser.TryParseValue(json, BlittableMode.ToMemory, out _, out JsonError error));
        Assert.Equal(at, error.Byte);
        Assert.Contains(reason, error.Reason, StringComparison.Ordinal);
        int lineStart = json.AsSpan(0, at).LastIndexOf((byte)'\n') + 1;
        Assert.Equal(json.AsSpan(0, at).Count((byte)'\n') + 1, error.Line);
        Assert.Equal(at - lineStart + 1, error.Column);
    }

    [Theory]
    [Trait("Invariant", "STR-2")]
    [Trait("Invariant", "PARSE-3")]
    [MemberData(nameof(Malformed))]
    public void Every_cut_of_a_malformed_text_gives_the_same_error(string text, int at, string reason)
    {
        byte[] json = ToBytes("\n" + text);
        Assert.False(_context.Parser.TryParseValue(json, BlittableMode.ToMemory, out _, out JsonError expected));
        Assert.Equal(at + 1, expected.Byte);
        Assert.Contains(reason, expected.Reason, StringComparison.Ordinal);
        JsonToBlittable parser = _context.Parser;
        for (int first = 0; first <= json.Length; first++)
        {
            for (int second = first; second <= json.Length; second++)
            {
                parser.Begin(BlittableMode.ToMemory);
                Documents.Feed(parser, json.AsSpan(0, first));
                Documents.Feed(parser, json.AsSpan(first, second - first));
                Documents.Feed(parser, json.AsSpan(second));
                Assert.False(parser.TryFinish(out _));
                Assert.True(expected == parser.Error, $"{first} {second}: {parser.Error}");
            }
        }
    }

    [Fact]
    public void A_value_that_is_no_object_is_refused_as_a_document()
    {
        Assert.False(_context.Parser.TryParse(" [1]"u8, BlittableMode.ToDisk, out _, out JsonError error));
        Assert.Equal(1, error.Byte);
        _context.Parser.Begin(BlittableMode.ToDisk);
        Documents.Feed(_context.Parser, "\n 12"u8);
        Assert.False(_context.Parser.TryFinish(out BlittableObject _, out error));
        Assert.Equal(2, error.Byte);
    }

    [Fact]
    public void A_parser_works_again_after_an_error()
    {
        Assert.False(_context.Parser.TryParse("{\"a\":[1,{"u8, BlittableMode.ToMemory, out _, out _));
        Assert.Equal("""{"a":1}""", Documents.ToJson(Documents.Parse(_context, """{"a":1}""")));
    }

    [Theory]
    [InlineData(128, true)]
    [InlineData(129, false)]
    public void Nesting_stops_at_the_limit(int depth, bool accepted)
    {
        foreach ((string open, string close) in (ValueTuple<string, string>[])[("[", "]"), ("{\"a\":", "}")])
        {
            string inner = open == "[" ? string.Empty : "0";
            string json = string.Concat(Enumerable.Repeat(open, depth)) + inner
                + string.Concat(Enumerable.Repeat(close, depth));
            bool parsed = _context.Parser.TryParseValue(
                Encoding.UTF8.GetBytes(json), BlittableMode.ToMemory, out BlittableValue value, out JsonError error);
            Assert.Equal(accepted, parsed);
            if (accepted)
            {
                Assert.Equal(json, Documents.ToJson(value));
            }
            else
            {
                Assert.Equal(128 * open.Length, error.Byte);
            }
        }
    }

    [Fact]
    public void A_document_over_its_limit_of_bytes_or_properties_is_refused()
    {
        _context.Parser.Limits = new JsonLimits { DocumentSizeBytesMax = 20, PropertyCountMax = 2 };
        byte[] fits = "{\"a\":1,\"b\":2222222} "u8.ToArray();
        Assert.Equal(20, fits.Length);
        Assert.True(_context.Parser.TryParse(fits, BlittableMode.ToMemory, out _, out _));
        Assert.False(_context.Parser.TryParse([.. fits, 32], BlittableMode.ToMemory, out _, out JsonError error));
        Assert.Equal(20, error.Byte);
        byte[] three = "{\"a\":1,\"b\":2,\"c\":3}"u8.ToArray();
        for (int round = 0; round < 3; round++)
        {
            Assert.False(_context.Parser.TryParse(three, BlittableMode.ToMemory, out _, out error));
            Assert.Equal(13, error.Byte);
            Assert.Contains("more than 2 properties", error.Reason, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_byte_order_mark_is_skipped_before_the_first_value_only()
    {
        byte[] json = [0xEF, 0xBB, 0xBF, .. "{\"a\":x}"u8];
        Assert.False(_context.Parser.TryParse(json, BlittableMode.ToMemory, out _, out JsonError error));
        Assert.Equal(8, error.Byte);
        json[8] = (byte)'1';
        for (int cut = 0; cut <= json.Length; cut++)
        {
            _context.Parser.Begin(BlittableMode.ToMemory);
            Documents.Feed(_context.Parser, json.AsSpan(0, cut));
            Documents.Feed(_context.Parser, json.AsSpan(cut));
            Assert.True(_context.Parser.TryFinish(out BlittableObject _, out error), $"{cut}: {error}");
        }

        Assert.False(_context.Parser.TryParse([0xEF, 0xBB, .. "{}"u8], BlittableMode.ToMemory, out _, out error));
        Assert.Equal(0, error.Byte);
        Assert.False(_context.Parser.TryParse([.. "["u8, 0xEF, 0xBB, 0xBF, .. "]"u8], default, out _, out error));
        Assert.Equal(1, error.Byte);
    }

    private static byte[] ToBytes(string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        bytes.AsSpan().Replace((byte)'~', (byte)0xFF);
        return bytes;
    }
}
