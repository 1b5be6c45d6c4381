using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

/// <summary>
/// The bytes of version 1, fixed. If one of these fails, documents that are stored somewhere can no longer be read: make
/// a new version instead of a new golden.
/// </summary>
public sealed class FormatGoldenTests : IDisposable
{
    private const string Office = """{"Name":"Hibernating Rhinos","Street":"Hanashi 21","City":"Hadera"}""";
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Theory]
    [InlineData("{}", "GOLD0")]
    [InlineData("[]", "GOLD1")]
    [InlineData("null", "GOLD2")]
    [InlineData("-3", "GOLD3")]
    [InlineData("42.070", "GOLD4")]
    [InlineData("1e400", "GOLD5")]
    [InlineData("""["Arava","Oscar","Phoebe"]""", "GOLD6")]
    [InlineData("""{"b":1,"a":[true,0.5,""]}""", "GOLD7")]
    [InlineData("""{"x":{"b":null,"a":null},"y":{"a":null,"b":null}}""", "GOLD8")]
    [InlineData("""{"a\n":"tab\there"}""", "GOLD9")]
    [InlineData("""{"Name":"Oren","Dogs":["Arava","Oscar","Phoebe"],"Age":34}""", "GOLDA")]
    public void Documents_to_memory_have_exactly_these_bytes(string json, string golden) =>
        Assert.Equal(golden, Convert.ToHexString(Documents.Parse(_context, json).Memory.Span));

    [Theory]
    [InlineData("""{"t":"the government of the people"}""", "GOLDB")]
    public void Documents_to_disk_have_exactly_these_bytes(string json, string golden) =>
        Assert.Equal(golden, Convert.ToHexString(Documents.Parse(_context, json, BlittableMode.ToDisk).Memory.Span));

    [Fact]
    public void A_long_text_to_disk_is_an_lz4_block()
    {
        string text = string.Concat(Enumerable.Repeat("0123456789abcdef", 20));
        BlittableValue value = Documents.Parse(_context, $"\"{text}\"", BlittableMode.ToDisk);
        Assert.Equal(
            "GOLDC", Convert.ToHexString(value.Memory.Span));
        Assert.Equal(text, value.GetString());
    }

    [Fact]
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

        string flat = "{" + string.Join(',', Enumerable.Range(0, 2000).Select(i => $"\"Attribute{i}\":\"value {i}\"")) + "}";
        int size = Documents.Parse(_context, flat).Memory.Length;
        Assert.True(size <= flat.Length * 1.07, $"{size} bytes for {flat.Length} of JSON");
    }

    // Without names and trailer, which a value inside of a document does not have.
    private int SizeOfRoot(string json) => Documents.Parse(_context, json).Memory.Length - 5;
}
