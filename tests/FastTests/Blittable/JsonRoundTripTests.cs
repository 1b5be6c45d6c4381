using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

public sealed class JsonRoundTripTests : IDisposable
{
    private readonly OperationContext _context = new();

    public static TheoryData<string> Texts => new(
        """{}""",
        """{"a":1}""",
        """{"Name":"Oren","Dogs":["Arava","Oscar","Phoebe"],"Age":34,"Office":{"Name":"Rhinos","City":"Hadera"}}""",
        """{"b":null,"a":true,"c":false,"e":"","d":{},"f":[]}""",
        """{"x":{"b":null,"a":null},"y":{"a":null,"b":null},"z":{"a":"","b":{}}}""",
        """{"n":[0,-1,9223372036854775807,-9223372036854775808,9223372036854775808,-9223372036854775809]}""",
        """{"n":[1.0,-0.5,1e400,-0,-0.0,1E+2,0.10,100000000000000000000,999999999999999999,-999999999999999999]}""",
        """{"n":[0.000000000000000000000001,123456789012345678.5,12345678901234567.5,0.00000000000000001]}""",
        """{"s":"a\"b\\c\nd\u0001e\u0000","\n\"":"שלום 🐦 é"}""",
        """[1,[2,[3,[]]],{"a":[{}]}]""",
        "\"scalar\"",
        "12.50",
        "null");

    public void Dispose() => _context.Dispose();

    [Theory]
    [Trait("Invariant", "BUILD-4")]
    [MemberData(nameof(Texts))]
    public void JSON_that_was_parsed_is_written_as_it_was_in_every_mode(string json)
    {
        foreach (BlittableMode mode in Enum.GetValues<BlittableMode>())
        {
            BlittableValue value = Documents.Parse(_context, json, mode);
            Documents.AssertValid(value);
            Assert.Equal(json, Documents.ToJson(value));
        }
    }

    [Fact]
    public void Sorted_output_orders_properties_by_the_bytes_of_their_names()
    {
        BlittableValue value = Documents.Parse(_context, """{"b":1,"":2,"a":{"z":null,"aa":0},"aב":3,"B":4}""");
        string sorted = Documents.ToJson(value, JsonOutputOptions.Default);
        Assert.Equal("""{"":2,"B":4,"a":{"aa":0,"z":null},"aב":3,"b":1}""", sorted);
    }

    [Fact]
    public void Indented_output_has_a_line_for_each_value()
    {
        BlittableValue value = Documents.Parse(_context, """{"a":[1,{}],"b":{"c":"d"},"e":[]}""");
        string indented = Documents.ToJson(value, new JsonOutputOptions { Indentation = 2 });
        Assert.Equal(
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {\n    \"c\": \"d\"\n  },\n  \"e\": []\n}", indented);
    }

    [Theory]
    [InlineData("a\\/b\\u0041\\u00e9\\ud83d\\udc26\\b\\f\\n\\r\\t", "a/bAé🐦\\b\\f\\n\\r\\t")]
    [InlineData("\\u001f\\u0020\\u007f\\u2028", "\\u001f \u007f\u2028")]
    public void Escapes_are_written_only_where_json_needs_them(string inside, string expected)
    {
        BlittableValue value = Documents.Parse(_context, $$"""{"a":"{{inside}}","{{inside}}":1}""");
        Assert.Equal($$"""{"a":"{{expected}}","{{expected}}":1}""", Documents.ToJson(value));
    }

    [Fact]
    [Trait("Invariant", "SCAN-2")]
    [Trait("Invariant", "SCAN-3")]
    [Trait("Invariant", "STR-3")]
    [Trait("Invariant", "PARSE-1")]
    [Trait("Invariant", "PARSE-3")]
    public void Every_cut_of_the_input_gives_the_same_document()
    {
        byte[] json = Encoding.UTF8.GetBytes(
            """
             {"a\n":[1,-2.5e+3,true,false,null,""],"שלום":"a\\\"\u00e9\ud83d\udc26z",
            "long":"0123456789012345678901234567890123456789","a":{}, "n" : 12345678901234567890}
            """);
        Assert.True(_context.Parser.TryParseValue(json, BlittableMode.ToMemory, out BlittableValue whole, out _));
        byte[] expected = whole.Memory.Span.ToArray();
        JsonToBlittable parser = _context.Parser;
        for (int first = 0; first <= json.Length; first++)
        {
            for (int second = first; second <= json.Length; second++)
            {
                _context.Reset();
                parser.Begin(BlittableMode.ToMemory);
                Documents.Feed(parser, json.AsSpan(0, first));
                Documents.Feed(parser, json.AsSpan(first, second - first));
                Documents.Feed(parser, json.AsSpan(second));
                Assert.True(parser.TryFinish(out BlittableValue value), $"{first} {second} {parser.Error}");
                Assert.True(value.Memory.Span.SequenceEqual(expected), $"{first} {second}");
            }
        }
    }

    [Fact]
    [Trait("Invariant", "SCAN-3")]
    [Trait("Invariant", "PARSE-3")]
    public void Every_cut_of_a_text_full_of_white_space_gives_the_same_document()
    {
        const string compact =
            """{"a":[1,[],{},[{"b":null},{"b":true,"c":-0.25}]],"name\n":{"d":{"e":""}},"long":"01234","n":12345}""";
        StringBuilder spaced = new();
        bool inside = false;
        for (int i = 0; i < compact.Length; i++)
        {
            bool isQuote = compact[i] == '"' && compact[i - 1] != '\\';
            bool isMark = !inside && "{}[],:".Contains(compact[i], StringComparison.Ordinal);
            spaced.Append(isMark ? " \r\n\t "[..(i % 6)] : string.Empty).Append(compact[i]);
            spaced.Append(isMark ? new string(' ', i % 41) : string.Empty);
            inside ^= isQuote;
        }

        byte[] json = Encoding.UTF8.GetBytes(spaced.ToString());
        byte[] expected = Documents.Parse(_context, compact).Memory.Span.ToArray();
        JsonToBlittable parser = _context.Parser;
        for (int cut = 0; cut <= json.Length; cut++)
        {
            foreach (int piece in (int[])[1, 3, 600])
            {
                _context.Reset();
                parser.Begin(BlittableMode.ToMemory);
                Documents.Feed(parser, json.AsSpan(0, cut));
                for (int at = cut; at < json.Length; at += piece)
                {
                    Documents.Feed(parser, json.AsSpan(at, Math.Min(piece, json.Length - at)));
                }

                Assert.True(parser.TryFinish(out BlittableValue value), $"{cut} {piece} {parser.Error}");
                Assert.True(value.Memory.Span.SequenceEqual(expected), $"{cut} {piece}");
            }
        }
    }

    [Fact]
    [Trait("Invariant", "SHAPE-1")]
    [Trait("Invariant", "SHAPE-2")]
    public void Names_in_changing_combinations_are_never_taken_for_each_other()
    {
        Random random = new(11);
        IEnumerable<string> plain = Enumerable.Range(1, 45).Select(i => new string((char)('a' + (i % 3)), i));
        string[] names = [.. plain, "a\\n", "é", "a\\\""];
        for (int i = 0; i < 3000; i++)
        {
            StringBuilder json = new("{");
            int[] chosen = [.. Enumerable.Range(0, names.Length).Where(_ => random.Next(8) == 0)];
            foreach (int name in chosen)
            {
                json.Append(json.Length > 1 ? "," : string.Empty).Append('"').Append(names[name]).Append("\":")
                    .Append(random.Next(3) == 0 ? $"[{{\"{names[(name + i) % 5]}\":{name}}}]" : $"\"{name}\"");
            }

            string text = json.Append('}').ToString();
            BlittableValue value = Documents.Parse(_context, text);
            Assert.Equal(text, Documents.ToJson(value));
            _context.Reset();
        }
    }

    [Fact]
    public void Values_that_follow_each_other_in_one_input_are_parsed_one_at_a_time()
    {
        byte[] input = Encoding.UTF8.GetBytes("""{"a":1}{"a":2} [3]  "x"4 5{}""");
        List<string> values = [];
        JsonToBlittable parser = _context.Parser;
        parser.Begin(BlittableMode.ToMemory);
        ReadOnlySpan<byte> rest = input;
        while (parser.Feed(rest, out int consumed) == JsonParseStatus.Complete)
        {
            rest = rest[consumed..];
            Assert.True(parser.TryFinish(out BlittableValue value));
            values.Add(Documents.ToJson(value));
            parser.BeginNext(BlittableMode.ToMemory);
        }

        Assert.Equal(["""{"a":1}""", """{"a":2}""", "[3]", "\"x\"", "4", "5", "{}"], values);
    }

    [Fact]
    [Trait("Invariant", "PARSE-1")]
    [Trait("Invariant", "BUILD-1")]
    public void A_long_text_in_small_chunks_is_the_same_as_whole()
    {
        string text = string.Concat(Enumerable.Range(0, 20_000).Select(i => i % 97 == 0 ? "\\n" : $"ש{i}"));
        byte[] json = Encoding.UTF8.GetBytes($$"""{"text":"{{text}}","n":{{new string('1', 5000)}}}""");
        Assert.True(_context.Parser.TryParseValue(json, BlittableMode.ToDisk, out BlittableValue whole, out _));
        foreach (int size in (int[])[1, 7, 64, 511, 4096])
        {
            _context.Parser.Begin(BlittableMode.ToDisk);
            for (int i = 0; i < json.Length; i += size)
            {
                Documents.Feed(_context.Parser, json.AsSpan(i, Math.Min(size, json.Length - i)));
            }

            Assert.True(_context.Parser.TryFinish(out BlittableValue value), _context.Parser.Error.ToString());
            Assert.True(value.Memory.Span.SequenceEqual(whole.Memory.Span));
        }
    }
}
