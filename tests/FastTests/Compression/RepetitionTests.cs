using System.Text;
using Raven.Blittable.Compression;

namespace FastTests.Compression;

public sealed class RepetitionTests
{
    [Theory]
    [InlineData("0123456789abcdef", 20)]
    [InlineData("<tr><td class=\"number\">1</td></tr>\r\n", 9)]
    [InlineData("x", 200)]
    public void A_text_that_repeats_is_likely_to_compress(string part, int count) =>
        Assert.True(IsLikely(string.Concat(Enumerable.Repeat(part, count))));

    [Theory]
    [InlineData(
        "the government of the people and for them in another country where nothing is certain, but that the station "
        + "has a name, the artist a date, and each of the images its own description")]
    [InlineData("A text that is too short to say anything of it.")]
    [InlineData("")]
    public void Prose_and_short_texts_are_not_likely_to_compress(string text) => Assert.False(IsLikely(text));

    [Fact]
    public void Random_bytes_of_any_length_are_not_likely_to_compress()
    {
        Random random = new(11);
        for (int length = 0; length < 5000; length += 13)
        {
            byte[] bytes = new byte[length];
            random.NextBytes(bytes);
            Assert.False(Repetition.IsLikely(bytes), $"length {length}");
            bytes.AsSpan().Fill(7);
            Assert.Equal(length >= Repetition.LengthMin, Repetition.IsLikely(bytes));
        }
    }

    [Fact]
    public void No_byte_behind_the_text_is_read()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer input = new(8192);
        for (int length = 0; length < 8192; length += 31)
        {
            Span<byte> text = input.AtEnd(length);
            text.Fill((byte)'a');
            Assert.Equal(length >= Repetition.LengthMin, Repetition.IsLikely(text));
        }
    }

    private static bool IsLikely(string text) => Repetition.IsLikely(Encoding.UTF8.GetBytes(text));
}
