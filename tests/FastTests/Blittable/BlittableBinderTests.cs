using Raven.Blittable.Binding;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;

namespace FastTests.Blittable;

public sealed class BlittableBinderTests : IDisposable
{
    private readonly OperationContext _context = new();

    public enum Color
    {
        Red,
        Blue,
    }

    public void Dispose() => _context.Dispose();

    [Fact]
    public void An_object_that_was_written_is_read_back_equal()
    {
        Sample sample = new()
        {
            Name = "x\n",
            Count = -5,
            Large = long.MinValue,
            Ratio = 0.1,
            Price = 12.50m,
            Flag = true,
            Color = Color.Blue,
            Limit = 7,
            Tags = ["a", "b"],
            Inner = [new Sample { Name = "inner" }],
            Parameters = new() { ["p"] = "q" },
        };
        _context.Writer.Begin(BlittableMode.ToDisk);
        BlittableBinder.Write(_context.Writer, sample);
        Sample back = BlittableBinder.Read<Sample>(_context.Writer.Finish().AsObject());
        Assert.Equivalent(sample, back, strict: true);
    }

    [Fact]
    public void A_missing_property_keeps_its_default_and_an_unknown_one_is_ignored()
    {
        Sample read = Read("""{"unknown":[{}],"Limit":null,"Name":null}""");
        Assert.Equivalent(new Sample { Name = null }, read, strict: true);
        Assert.Equal(42, read.Count);
    }

    [Fact]
    public void A_dictionary_of_strings_takes_scalars_as_their_text() => Assert.Equivalent(
        new Dictionary<string, string> { ["s"] = "x", ["n"] = "1.50", ["t"] = "true" },
        Read("""{"Parameters":{"s":"x","n":1.50,"t":true,"nothing":null}}""").Parameters, strict: true);

    [Theory]
    [InlineData("""{"Name":1}""", "Name: holds Integer and not a string.")]
    [InlineData("""{"Count":5000000000}""", "Count: is too large for 32 bits.")]
    [InlineData("""{"Count":1.0}""", "Count: holds Number and not a whole number.")]
    [InlineData("""{"Color":"blue"}""", "Color: is none of Red, Blue.")]
    [InlineData("""{"Color":"1"}""", "Color: is none of Red, Blue.")]
    [InlineData("""{"Tags":["a",1]}""", "Tags[1]: holds Integer and not a string.")]
    [InlineData("""{"Tags":{}}""", "Tags: holds Object and not an array.")]
    [InlineData("""{"Parameters":{"a":[]}}""", "Parameters.a: holds Array and not a string.")]
    public void A_value_that_does_not_fit_its_property_is_refused_with_its_path(string json, string message) =>
        Assert.Equal(message, Assert.Throws<BlittableBindingException>(() => Read(json)).Message);

    private Sample Read(string json) => BlittableBinder.Read<Sample>(Documents.Parse(_context, json).AsObject());

    public sealed class Sample
    {
        public string? Name { get; set; } = "default";

        public int Count { get; set; } = 42;

        public long Large { get; set; }

        public double Ratio { get; set; }

        public decimal Price { get; set; }

        public bool Flag { get; set; }

        public Color Color { get; set; }

        public int? Limit { get; set; }

        public string[]? Tags { get; set; }

        public List<Sample>? Inner { get; set; }

        public Dictionary<string, string>? Parameters { get; set; }

        public int ReadOnly => Count;
    }
}
