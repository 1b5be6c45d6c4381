using System.Text;
using FastTests.Support;
using Raven.Documents.Rows;

namespace FastTests.Documents;

/// <summary>The version of a document as clients see it: written, read and compared.</summary>
public sealed class ChangeVectorTests
{
    private const string One = "AAAAAAAAAAAAAAAAAAAAAA";
    private const string Two = "BBBBBBBBBBBBBBBBBBBBBB";
    private const string Three = "+/0aZAAAAAAAAAAAAAAAAA";

    [Theory]
    [InlineData(1L)]
    [InlineData(12L)]
    [InlineData(long.MaxValue)]
    [Trait("Invariant", "CV-1")]
    public void A_change_vector_that_was_written_is_read_back_with_the_same_etag_and_database(long etag)
    {
        DatabaseId database = new(new Guid("5c1ba1b9-0b3c-4b0c-a9a0-8b8d5d6b4a3e"));
        Span<byte> text = stackalloc byte[ChangeVector.LocalSizeBytesMax];
        int length = ChangeVector.Format(text, etag, database);
        Assert.Equal($"A:{etag}-{database.Text}", Encoding.ASCII.GetString(text[..length]));

        ReadOnlySpan<byte> rest = text[..length];
        Assert.True(ChangeVector.TryReadEntry(ref rest, out ChangeVectorEntry entry));
        Assert.True(rest.IsEmpty);
        Assert.Equal(etag, entry.Etag);
        Assert.True(entry.NodeTag.SequenceEqual("A"u8));
        Assert.True(entry.DatabaseId.SequenceEqual(database.Utf8));
    }

    [Fact]
    public void A_database_id_is_its_sixteen_bytes_in_base64_without_padding()
    {
        Guid value = new("5c1ba1b9-0b3c-4b0c-a9a0-8b8d5d6b4a3e");
        DatabaseId id = new(value);
        Assert.Equal(value, new Guid(Convert.FromBase64String(id.Text + "==")));
        Assert.Equal(DatabaseId.TextLength, id.Text.Length);
    }

    [Theory]
    [InlineData("", "", nameof(ChangeVectorOrder.Equal))]
    [InlineData("A:1-" + One, "", nameof(ChangeVectorOrder.After))]
    [InlineData("A:1-" + One, "A:1-" + One, nameof(ChangeVectorOrder.Equal))]
    [InlineData("A:9-" + One, "A:10-" + One, nameof(ChangeVectorOrder.Before))]
    [InlineData("B:9-" + One, "A:9-" + One, nameof(ChangeVectorOrder.Equal))]
    [InlineData("A:1-" + One, "A:1-" + Two, nameof(ChangeVectorOrder.Conflict))]
    [InlineData("A:2-" + One + ", B:1-" + Two, "A:1-" + One + ", B:2-" + Two, nameof(ChangeVectorOrder.Conflict))]
    [InlineData("A:2-" + One + ", B:1-" + Two, "B:1-" + Two + ", A:2-" + One, nameof(ChangeVectorOrder.Equal))]
    [InlineData("A:2-" + One, "B:1-" + Two + ", A:2-" + One, nameof(ChangeVectorOrder.Before))]
    [InlineData("A:2-" + One + ", C:5-" + Three, "A:2-" + One, nameof(ChangeVectorOrder.After))]
    [Trait("Invariant", "CV-2")]
    public void Change_vectors_are_compared_by_the_etag_of_each_database(
        string left, string right, string expectedName)
    {
        ChangeVectorOrder expected = Enum.Parse<ChangeVectorOrder>(expectedName);
        Assert.True(ChangeVector.TryCompare(Bytes(left), Bytes(right), out ChangeVectorOrder order));
        Assert.Equal(expected, order);
        Assert.True(ChangeVector.TryCompare(Bytes(right), Bytes(left), out ChangeVectorOrder reverse));
        Assert.Equal(Reverse(expected), reverse);
    }

    [Theory]
    [InlineData("A")]
    [InlineData(":1-" + One)]
    [InlineData("a:1-" + One)]
    [InlineData("ABCDE:1-" + One)]
    [InlineData("A:-" + One)]
    [InlineData("A:0-" + One)]
    [InlineData("A:01-" + One)]
    [InlineData("A:-1-" + One)]
    [InlineData("A:+1-" + One)]
    [InlineData("A:9223372036854775808-" + One)]
    [InlineData("A:1" + One)]
    [InlineData("A:1-" + One + "=")]
    [InlineData("A:1-AAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("A:1-AAAAAAAAAAAAAAAAAAAAA*")]
    [InlineData("A:1-" + One + ", ")]
    [InlineData("A:1-" + One + ",B:1-" + Two)]
    [InlineData("A:1-" + One + ", B:1")]
    [InlineData("anything")]
    [Trait("Invariant", "CV-1")]
    public void A_text_that_is_no_change_vector_is_neither_valid_nor_comparable(string text)
    {
        Assert.False(ChangeVector.IsValid(Bytes(text)));
        Assert.False(ChangeVector.TryCompare(Bytes(text), Bytes("A:1-" + One), out _));
        Assert.False(ChangeVector.TryCompare(Bytes("A:1-" + One), Bytes(text), out _));
        Assert.False(ChangeVector.TryCompare(Bytes(text), Bytes(text), out _));
    }

    [Fact]
    public void Writing_and_comparing_change_vectors_allocate_nothing()
    {
        DatabaseId database = new(Guid.Empty);
        byte[] target = new byte[ChangeVector.LocalSizeBytesMax];
        byte[] other = Bytes("A:2-" + One + ", B:1-" + Two);
        long after = 0;
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 1; i <= 200; i++)
            {
                int length = ChangeVector.Format(target, i, database);
                ChangeVector.TryCompare(target.AsSpan(0, length), other, out ChangeVectorOrder order);
                after += (long)order;
            }
        }));
        Assert.True(after > 0);
    }

    private static ChangeVectorOrder Reverse(ChangeVectorOrder order) => order switch
    {
        ChangeVectorOrder.Before => ChangeVectorOrder.After,
        ChangeVectorOrder.After => ChangeVectorOrder.Before,
        _ => order,
    };

    private static byte[] Bytes(string text) => Encoding.ASCII.GetBytes(text);
}
