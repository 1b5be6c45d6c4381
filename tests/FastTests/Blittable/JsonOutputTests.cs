using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

public sealed class JsonOutputTests : IDisposable
{
    private static readonly JsonSerializerOptions s_indented = new() { WriteIndented = true, NewLine = "\n" };
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Fact]
    public void Values_that_are_written_one_by_one_are_separated_as_JSON_requires()
    {
        BlittableObject document = Documents.Parse(_context, """{"b":[1],"a":"x"}""").AsObject();
        ArrayBufferWriter<byte> target = new();
        JsonOutput output = new(target);
        output.StartObject();
        output.Property(document.GetProperty(0));
        output.Name("é\n"u8);
        output.StartArray();
        output.Number(long.MinValue);
        output.Number(0.5);
        output.Boolean(true);
        output.Null();
        output.String("\"\u0001"u8);
        output.String("ab\ud83d\udc26");
        output.StartObject();
        output.EndObject();
        output.Value(document.AsValue());
        output.EndArray();
        output.Name("raw");
        output.Raw("[1, 2]"u8);
        output.EndObject();
        output.Flush();
        Assert.Equal(
            """{"a":"x","é\n":[-9223372036854775808,0.5,true,null,"\"\u0001","ab🐦",{},""" +
            """{"a":"x","b":[1]}],"raw":[1, 2]}""",
            Encoding.UTF8.GetString(target.WrittenSpan));
    }

    [Fact]
    public void Indented_values_and_documents_are_written_as_the_runtime_writes_them()
    {
        const string json = """{"a":{"b":[1,[],{"c":{}}],"d":"x"},"e":[{"f":1},2]}""";
        ArrayBufferWriter<byte> target = new();
        JsonOutput output = new(target, new JsonOutputOptions { Indentation = 2, OriginalOrder = true });
        output.StartArray();
        output.Value(Documents.Parse(_context, json));
        output.StartObject();
        output.Property(Documents.Parse(_context, json).AsObject().GetProperty(1));
        output.Name("g");
        output.Number(1);
        output.EndObject();
        output.EndArray();
        output.Flush();
        using JsonDocument expected = JsonDocument.Parse($$"""[{{json}},{"e":[{"f":1},2],"g":1}]""");
        string indented = JsonSerializer.Serialize(expected, s_indented);
        Assert.Equal(indented, Encoding.UTF8.GetString(target.WrittenSpan));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void All_properties_but_one_are_written_together_as_they_are_one_by_one(int indentation)
    {
        string[] documents =
        [
            "{}", """{"a":1}""", """{"a":1,"b":"x"}""", """{"b":[1,{"c":2}],"a":{},"e":null,"d":"\u0001"}""",
            $$"""{"a":"{{new string('x', 3000)}}","b":{"c":"{{new string('y', 900)}}"},"c":2}""",
        ];
        JsonOutputOptions options = new() { Indentation = indentation };
        foreach (BlittableObject members in documents.Select(text => Documents.Parse(_context, text).AsObject()))
        {
            for (int except = -1; except < members.Count; except++)
            {
                for (int extra = 0; extra < 80; extra += 5)
                {
                    ExactBuffers together = new();
                    together.Reset(extra);
                    Write(new JsonOutput(together, options), members, except, isTogether: true);
                    ExactBuffers single = new();
                    single.Reset(0);
                    Write(new JsonOutput(single, options), members, except, isTogether: false);
                    Assert.Equal(single.Text(), together.Text());
                }
            }
        }

        static void Write(JsonOutput output, BlittableObject members, int except, bool isTogether)
        {
            output.StartObject();
            for (int i = 0; i < members.Count && !isTogether; i++)
            {
                if (i != except)
                {
                    output.Property(members.GetProperty(i));
                }
            }

            if (isTogether)
            {
                output.Properties(members, except);
            }

            if (isTogether)
            {
                output.RawName("\"n\":"u8);
            }
            else
            {
                output.Name("n"u8);
            }

            output.Number(1);
            output.EndObject();
            output.Flush();
        }
    }

    [Fact]
    [Trait("Invariant", "JSON-1")]
    [Trait("Invariant", "JSON-3")]
    public void Nothing_is_written_outside_of_the_buffers_of_the_target()
    {
        Random random = new(5);
        ExactBuffers exact = new();
        for (int round = 0; round < 120; round++)
        {
            string json = RandomJson.Make(random, depth: 6);
            foreach (BlittableMode mode in Enum.GetValues<BlittableMode>())
            {
                BlittableValue value = Documents.Parse(_context, json, mode);
                exact.Reset(random.Next(200));
                BlittableToJson.Write(value, exact, JsonOutputOptions.Original);
                Assert.Equal(json, exact.Text());
            }

            _context.Reset();
        }
    }

    [Fact]
    [Trait("Invariant", "JSON-1")]
    [Trait("Invariant", "JSON-3")]
    public void Values_of_every_kind_are_written_whole_wherever_the_buffer_ends()
    {
        byte[] text = [.. "a\"\n\u0001b"u8];
        for (int before = 900; before < 1100; before++)
        {
            ExactBuffers exact = new();
            exact.Reset(0);
            JsonOutput output = new(exact);
            output.StartArray();
            output.String(new string('x', before));
            output.Number(123456789012L);
            output.String(text);
            output.Number(0.25);
            output.Number(-7);
            output.String(text);
            output.EndArray();
            output.Flush();
            Assert.Equal(
                $"[\"{new string('x', before)}\",123456789012,\"a\\\"\\n\\u0001b\",0.25,-7,\"a\\\"\\n\\u0001b\"]",
                exact.Text());
        }
    }

    [Fact]
    [Trait("Fault", "C1")]
    public void A_compressed_text_of_any_length_stays_within_the_buffers_of_the_target()
    {
        int[] edges = [256, 1024, 16 * 1024, 64 * 1024, 128 * 1024, 256 * 1024];
        ExactBuffers exact = new();
        foreach (int length in edges.SelectMany(edge => Enumerable.Range(edge - 8, 16)).Append((64 * 1024) - 144))
        {
            string json = $"{{\"A\":\"abc\",\"T\":\"{new string('x', length)}\",\"z\":1}}";
            BlittableValue value = Documents.Parse(_context, json, BlittableMode.ToDisk);
            foreach (int extra in (int[])[0, 1, 100])
            {
                exact.Reset(extra);
                BlittableToJson.Write(value, exact, JsonOutputOptions.Original);
                Assert.Equal(json, exact.Text());
            }

            _context.Reset();
        }
    }

    /// <summary>Lends what was asked for, to the byte, and sees what is written behind it.</summary>
    private sealed class ExactBuffers : IBufferWriter<byte>
    {
        private const int Fence = 64;
        private readonly ArrayBufferWriter<byte> _written = new();
        private byte[] _lent = [];
        private int _length;
        private int _extra;

        public void Reset(int extra)
        {
            _written.ResetWrittenCount();
            _extra = extra;
        }

        public string Text() => Encoding.UTF8.GetString(_written.WrittenSpan);

        public void Advance(int count)
        {
            Assert.InRange(count, 0, _length);
            Assert.Equal(-1, _lent.AsSpan(_length).IndexOfAnyExcept((byte)0xEE));
            _written.Write(_lent.AsSpan(0, count));
            _length = 0;
        }

        public Memory<byte> GetMemory(int sizeHint = 0)
        {
            _length = sizeHint + _extra;
            _lent = new byte[_length + Fence];
            _lent.AsSpan().Fill(0xEE);
            return _lent.AsMemory(0, _length);
        }

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}
