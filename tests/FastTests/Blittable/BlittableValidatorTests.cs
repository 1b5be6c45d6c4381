using FastTests.Compression;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

public sealed class BlittableValidatorTests : IDisposable
{
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Fact]
    [Trait("Invariant", "CHECK-1")]
    [Trait("Invariant", "JSON-2")]
    public void Damaged_documents_are_refused_or_can_be_read_to_the_end()
    {
        if (GuardedBuffer.IsSupported)
        {
            Assert.InRange(DocumentMutation.Run(seed: 20261121, mutations: 50_000), 100, 25_000);
        }
    }

    /// <summary>The document {"a":[1,"x"],"b":{"c":null}} with one byte made wrong, and a word of the reason.</summary>
    [Theory]
    [Trait("Invariant", "CHECK-2")]
    [InlineData(0, 0x80, "does not follow")]
    [InlineData(2, 0xFF, "UTF-8")]
    [InlineData(2, 0x0A, "not listed")]
    [InlineData(3, 0x00, "no valid count")]
    [InlineData(4, 0x09, "before the document")]
    [InlineData(4, 0x02, "follow what is before")]
    [InlineData(6, 0x0E, "does not exist")]
    [InlineData(6, 0x24, "does not exist")]
    public void A_document_with_a_wrong_byte_is_refused_with_the_reason(int at, int wrong, string reason)
    {
        byte[] document = Documents.Parse(_context, """{"a":[1,"x"],"b":{"c":null}}""").Memory.Span.ToArray();
        Documents.AssertValid(document);
        document[at] = (byte)wrong;
        Assert.False(BlittableValidator.TryValidate(document, out BlittableError error));
        Assert.Contains(reason, error.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_prefix_of_a_document_is_refused()
    {
        byte[] document = Documents.Parse(_context, """{"a":[1,"x"],"b":{"c":null}}""").Memory.Span.ToArray();
        for (int length = 0; length < document.Length; length++)
        {
            Assert.False(BlittableValidator.TryValidate(document.AsSpan(0, length), out _), $"{length}");
        }
    }

    [Fact]
    public void A_document_of_another_version_is_refused()
    {
        byte[] document = Documents.Parse(_context, "{}").Memory.Span.ToArray();
        document[^1] ^= 0x30;
        Assert.False(BlittableValidator.TryValidate(document, out BlittableError error));
        Assert.Contains("version 1", error.Reason, StringComparison.Ordinal);
        Assert.Throws<InvalidBlittableException>(() => BlittableValidator.Validate(document));
    }

    [Fact]
    public void A_document_with_one_property_twice_is_refused()
    {
        byte[] document = Documents.Parse(_context, """{"a":1,"b":2}""").Memory.Span.ToArray();
        int name = document.AsSpan().IndexOf((byte)'b');
        document[name] = (byte)'a';
        Assert.False(BlittableValidator.TryValidate(document, out BlittableError error));
        Assert.Contains("order of their names", error.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void A_document_nested_deeper_than_the_limit_is_refused()
    {
        BlittableValue deep = Documents.Parse(_context, new string('[', 100) + new string(']', 100));
        Assert.True(BlittableValidator.TryValidate(deep.Memory.Span, 100, out _));
        Assert.False(BlittableValidator.TryValidate(deep.Memory.Span, 99, out BlittableError error));
        Assert.Contains("deeper than 99", error.Reason, StringComparison.Ordinal);
    }
}
