using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

public sealed class JsonInputTests : IDisposable
{
    private const string Json = """{"a":[1,2.5,"שלום"],"b":{"c":null}}""";
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Fact]
    public void A_text_in_a_sequence_of_buffers_is_parsed_as_one()
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(Json);
        for (int cut = 0; cut <= utf8.Length; cut++)
        {
            Part first = new(utf8.AsMemory(0, cut), 0);
            Part last = first.Append(utf8.AsMemory(cut));
            ReadOnlySequence<byte> text = new(first, 0, last, utf8.Length - cut);
            Assert.True(_context.Parser.TryParse(text, BlittableMode.ToMemory, out BlittableObject document, out _));
            Assert.Equal(Json, Documents.ToJson(document.AsValue()));
        }

        ReadOnlySequence<byte> broken = new(utf8.AsMemory(0, 10));
        Assert.False(_context.Parser.TryParse(broken, BlittableMode.ToMemory, out _, out JsonError error));
        Assert.Equal(10, error.Byte);
    }

    [Fact]
    public async Task A_stream_is_parsed_to_its_end()
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(Json + new string(' ', 100_000));
        BlittableObject document = await _context.Parser.ParseAsync(new MemoryStream(utf8), BlittableMode.ToDisk);
        Assert.Equal(Json, Documents.ToJson(document.AsValue()));
        utf8[^1] = (byte)'x';
        InvalidJsonException refused = await Assert.ThrowsAsync<InvalidJsonException>(
            async () => await _context.Parser.ParseAsync(new MemoryStream(utf8), BlittableMode.ToDisk));
        Assert.Equal(utf8.Length - 1, refused.Error.Byte);
    }

    private sealed class Part : ReadOnlySequenceSegment<byte>
    {
        public Part(ReadOnlyMemory<byte> memory, long start)
        {
            Memory = memory;
            RunningIndex = start;
        }

        public Part Append(ReadOnlyMemory<byte> memory)
        {
            Part next = new(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
