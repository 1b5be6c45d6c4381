using System.Buffers;
using System.Text;
using FastTests.Support;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

/// <summary>The budget of the hot paths: no managed byte for a document in or out, once warm.</summary>
public sealed class AllocationTests : IDisposable
{
    private static readonly byte[] s_json = Encoding.UTF8.GetBytes(
        """
        {"Name":"Oren","escaped":"a\nb","text":"0123456789012345678901234567890123456789","n":[1,-2.5,1e40,true,null],
        "nested":{"Name":"שלום","more":[{"a":1,"b":2},{"a":3,"b":4},{"b":5,"a":6}]}}
        """);

    private readonly OperationContext _context = new();
    private readonly PropertyHint _hint = new("text");
    private readonly ArrayBufferWriter<byte> _target = new(4096);

    public void Dispose() => _context.Dispose();

    [Theory]
    [InlineData(BlittableMode.ToMemory)]
    [InlineData(BlittableMode.ToDisk)]
    public void Parsing_whole_texts_allocates_nothing(BlittableMode mode) => AssertAllocatesNothing(() =>
    {
        Assert.True(_context.Parser.TryParse(s_json, mode, out _, out _));
        _context.Reset();
    });

    [Fact]
    public void Parsing_in_pieces_allocates_nothing() => AssertAllocatesNothing(() =>
    {
        _context.Parser.Begin(BlittableMode.ToDisk);
        for (int i = 0; i < s_json.Length; i += 10)
        {
            _context.Parser.Feed(s_json.AsSpan(i, Math.Min(10, s_json.Length - i)), out _);
        }

        Assert.True(_context.Parser.TryFinish(out BlittableObject _, out _));
        _context.Reset();
    });

    [Theory]
    [InlineData(BlittableMode.ToMemory)]
    [InlineData(BlittableMode.ToDisk)]
    public void Writing_json_allocates_nothing(BlittableMode mode)
    {
        Assert.True(_context.Parser.TryParse(s_json, mode, out BlittableObject document, out _));
        foreach (JsonOutputOptions options in (JsonOutputOptions[])
            [JsonOutputOptions.Default, JsonOutputOptions.Original, new JsonOutputOptions { Indentation = 2 }])
        {
            AssertAllocatesNothing(() =>
            {
                _target.ResetWrittenCount();
                BlittableToJson.Write(document, _target, options);
            });
        }
    }

    [Fact]
    public void Reading_allocates_nothing()
    {
        Assert.True(_context.Parser.TryParse(s_json, BlittableMode.ToDisk, out BlittableObject document, out _));
        AssertAllocatesNothing(() =>
        {
            Assert.True(document.TryGet("nested"u8, out BlittableValue nested));
            Assert.True(nested.AsObject()["more"u8].AsArray().Count == 3);
            Assert.True(document.TryGet(_hint, out BlittableValue text));
            Assert.True(text.GetUtf8(_context.Arena).Length == 40);
            Assert.True(document["n"u8].AsArray()[1].TryGetDouble(out double number));
            Assert.True(number == -2.5);
            Assert.False(document.TryGet("none"u8, out _));
        });
    }

    [Fact]
    public void Writing_documents_allocates_nothing() => AssertAllocatesNothing(() =>
    {
        _context.Writer.Begin(BlittableMode.ToDisk);
        _context.Writer.StartObject();
        _context.Writer.Name("name");
        _context.Writer.String("the text of a value");
        _context.Writer.Name("numbers"u8);
        _context.Writer.StartArray();
        _context.Writer.Number(5);
        _context.Writer.Number(5.25);
        _context.Writer.EndArray();
        _context.Writer.EndObject();
        _context.Writer.Finish();
        _context.Reset();
    });

    private static void AssertAllocatesNothing(Action action) => Assert.Equal(0, Allocated.Least(action));
}
