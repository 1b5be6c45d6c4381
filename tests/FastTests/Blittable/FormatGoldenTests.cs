using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

/// <summary>
/// The bytes of version 1, fixed. If one of these fails, documents that are stored can no longer be read: make
/// a new version instead of a new golden.
/// </summary>
public sealed class FormatGoldenTests : IDisposable
{
    private const string Office = """{"Name":"Hibernating Rhinos","Street":"Hanashi 21","City":"Hadera"}""";
    private const string Prose =
        "the government of the people and for them in another country where nothing is certain, "
        + "but that the station has a name, the artist a date, and each of the images its own description";

    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Theory]
    [InlineData("{}", "0001013B10")]
    [InlineData("[]", "0001013C10")]
    [InlineData("null", "0001010110")]
    [InlineData("-3", "050002010410")]
    [InlineData("42.070", "03AC91050005010510")]
    [InlineData("1e400", "0531653430300007010610")]
    [InlineData("""["Arava","Oscar","Phoebe"]""", "054172617661054F736361720650686F65626503130D07080006014C10")]
    [InlineData("""{"b":1,"a":[true,0.5,""]}""", "02010A030202000305070207010C0A0004026202610204020E030B10")]
    [InlineData(
        """{"x":{"b":null,"a":null},"y":{"a":null,"b":null}}""",
        "020002010001010002010201000101020F000B07030B0278026202610279040806040214050B10")]
    [InlineData("""{"a\n":"tab\there"}""", "0874616209686572650103010B001805610A010101050B020B10")]
    [InlineData(
        """{"Name":"Oren","Dogs":["Arava","Oscar","Phoebe"],"Age":34}""",
        "044F72656E054172617661054F736361720650686F656265" +
        "03130D0708440301020406014C1E0008084E616D6508446F677306416765030E09041C040B10")]
    public void Documents_to_memory_have_exactly_these_bytes(string json, string golden) =>
        Assert.Equal(golden, Convert.ToHexString(Documents.Parse(_context, json).Memory.Span));

    [Theory]
    [InlineData("""{"t":"the government of the people"}""", "0F1781C73AC379C665AE89053C8FA3F3011000290274010208020B10")]
    [InlineData(
        """{"t":"The story of \"Zoë\" and her brother"}""",
        "16AE80A0E08E6BFAF0E7FAFFB0D57B21400768F55412FC020D04011A00390274010208020B10")]
    public void Documents_to_disk_have_exactly_these_bytes(string json, string golden) =>
        Assert.Equal(golden, Convert.ToHexString(Documents.Parse(_context, json, BlittableMode.ToDisk).Memory.Span));

    [Fact]
    public void A_long_text_that_repeats_is_stored_as_an_LZ4_block()
    {
        string text = string.Concat(Enumerable.Repeat("0123456789abcdef", 20));
        BlittableValue value = Documents.Parse(_context, $"\"{text}\"", BlittableMode.ToDisk);
        Assert.Equal(
            "C0021CFF01303132333435363738396162636465661000FF195062636465660020010A10",
            Convert.ToHexString(value.Memory.Span));
        Assert.Equal(text, value.GetString());
    }

    [Fact]
    public void A_long_text_in_which_nothing_repeats_is_stored_as_codes_of_pairs()
    {
        BlittableValue value = Documents.Parse(_context, $"\"{Prose}\"", BlittableMode.ToDisk);
        Assert.Equal(
            "B501561781C73AC379C665AE89053C8FA30302A48BC6A2C9C00825415331A1B9130312B6A420CC08450A2B16F52263"
            + "59C602419013767040C9BA336001A25C324A8DC501016A73915C130B98E94E619CB8A35B83C6995B39F1005A012D10",
            Convert.ToHexString(value.Memory.Span));
        Assert.Equal(Prose, value.GetString());
    }

    // What the first builds of version 1 wrote, by the first version of the dictionary.
    [Theory]
    [InlineData("the government of the people", "0CE78EBCF4B1AE0CE7C5BCC3A5000E010910")]
    [InlineData(
        Prose,
        "B5014EE78EBCF4B1AE0CE7C5BCC3A5078D0FAA0906B9E6860072D41192CE00B9E69B009E006BD3569A1268E1" +
        "E6630F0EE3E90091620600B312E761060079125E0080566C0CE799D69FD6BCF6B27AD574E90052010D10")]
    public void Strings_by_the_first_dictionary_are_still_read(string text, string stored)
    {
        byte[] document = Convert.FromHexString(stored);
        Documents.AssertValid(document);
        NativeSlice memory = _context.Arena.Allocate(document.Length);
        document.CopyTo(memory.WritableSpan);
        BlittableValue value = BlittableValue.OpenRoot(memory);
        Assert.Equal(text, value.GetString());
        Assert.Equal($"\"{text}\"", Documents.ToJson(value));
    }

    [Theory]
    [InlineData("the station of another artist, certain and named, with its own description and date; ")]
    [InlineData("~^`|{}#$%&*+?XQJZ")]
    [InlineData("Ödön von Horváth ")]
    public void A_short_text_of_every_length_is_read_back_from_its_stored_form(string part)
    {
        string text = string.Concat(Enumerable.Repeat(part, 20));
        for (int length = 1; length <= 140; length++)
        {
            string json = $"[\"{text[..length]}\",1]";
            BlittableValue value = Documents.Parse(_context, json, BlittableMode.ToDisk);
            Documents.AssertValid(value);
            Assert.Equal(json, Documents.ToJson(value));
            _context.Reset();
        }
    }

    [Theory]
    [InlineData("prose")]
    [InlineData("codes")]
    [InlineData("repeated")]
    public void A_text_of_every_length_is_read_back_from_its_stored_form(string kind)
    {
        Random random = new(5);
        string[] words = kind switch
        {
            "prose" => ["the ", "station ", "of ", "\\\"name\\\" ", "é", "zx", "certain, ", "9", "and ", "image "],
            "codes" => ["X7~", "Q", "ZK", "{|}", "%", "e", "0Y", "the "],
            _ => ["0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "~", "Q"],
        };
        string prose = string.Concat(Enumerable.Range(0, 3000).Select(_ => words[random.Next(words.Length)]));
        for (int length = 100; length < 1400; length += 7)
        {
            string json = "\"" + prose[..length].TrimEnd('\\') + "\"";
            BlittableValue value = Documents.Parse(_context, json, BlittableMode.ToDisk);
            Documents.AssertValid(value.Memory.Span);
            Assert.Equal(json, Documents.ToJson(value));
            Assert.True(value.StringEquals(System.Text.Encoding.UTF8.GetBytes(value.GetString())));
            _context.Reset();
        }
    }

    [Fact]
    [Trait("Invariant", "BUILD-3")]
    public void An_offset_takes_as_many_bytes_as_it_needs()
    {
        foreach ((int length, int code) in (ValueTuple<int, int>[])[(200, 0), (254, 1), (65_000, 1), (70_000, 2)])
        {
            BlittableObject value = Documents.Parse(_context, $$"""{"a":"{{new string('x', length)}}"}""").AsObject();
            Assert.Equal(code, BlittableToken.OffsetSizeCode(value.AsValue().Token));
            Assert.Equal(length, value["a"u8].Utf8LengthMax);
            Documents.AssertValid(value.Memory.Span);
        }
    }

    [Fact]
    public void A_property_id_takes_as_many_bytes_as_it_needs()
    {
        foreach ((int count, int code) in (ValueTuple<int, int>[])[(256, 0), (257, 1), (65_537, 2)])
        {
            string json = "{" + string.Join(',', Enumerable.Range(0, count).Select(i => $"\"p{i}\":{i}")) + "}";
            BlittableObject value = Documents.Parse(_context, json).AsObject();
            Assert.Equal(code, BlittableToken.IdSizeCode(value.AsValue().Token));
            Assert.True(value[System.Text.Encoding.ASCII.GetBytes($"p{count - 1}")].TryGetInt64(out long last));
            Assert.Equal(count - 1, last);
            Documents.AssertValid(value.Memory.Span);
        }
    }

    [Fact]
    public void Sizes_stay_within_those_of_the_design()
    {
        BlittableValue outer = Documents.Parse(_context, $$"""{"o":{{Office}}}""");
        Assert.Equal(47, outer.AsObject()["o"u8].Position + 1 + 9);
        Assert.Equal(24, SizeOfRoot("""["Arava","Oscar","Phoebe"]"""));
        Assert.Equal(5, Documents.Parse(_context, "{}").Memory.Length);

        // As many and as long as the settings document that the design starts from: 2,000 in 120 KB.
        IEnumerable<string> attributes = Enumerable.Range(1000, 2000).Select(
            i => $"\"Settings.Attribute.Number.{i}\":\"the value of setting {i}\"");
        string flat = "{" + string.Join(',', attributes) + "}";
        int size = Documents.Parse(_context, flat).Memory.Length;
        Assert.True(size <= flat.Length * 1.07, $"{size} bytes for {flat.Length} of JSON");
    }

    // Without names and trailer, which a value inside of a document does not have.
    private int SizeOfRoot(string json) => Documents.Parse(_context, json).Memory.Length - 5;
}
