using System.Text;
using FastTests.Support;
using Raven.Blittable.Text;

namespace FastTests.Text;

public sealed class EtagTextTests
{
    private const int Seed = 20260805;

    [Fact]
    public void An_etag_is_written_as_hexadecimal_numbers_and_read_back()
    {
        Random random = new(Seed);
        byte[] text = new byte[EtagText.Length];
        for (int i = 0; i < 20_000; i++)
        {
            ulong restarts = (ulong)random.NextInt64() << random.Next(2) >> random.Next(64);
            ulong changes = (ulong)random.NextInt64() << random.Next(2) >> random.Next(64);
            Assert.True(EtagText.TryFormat(restarts, changes, text));
            string digits = $"{restarts:X16}{changes:X16}";
            string expected = $"{digits[..8]}-{digits[8..12]}-{digits[12..16]}-{digits[16..20]}-{digits[20..]}";
            Assert.Equal(expected, Encoding.ASCII.GetString(text));
            foreach (string form in (string[])[expected, expected.ToLowerInvariant()])
            {
                Assert.True(EtagText.TryParse(Encoding.ASCII.GetBytes(form), out ulong first, out ulong second), form);
                Assert.Equal((restarts, changes), (first, second));
            }
        }
    }

    [Fact]
    public void Every_changed_byte_is_refused_or_changes_the_number()
    {
        byte[] text = new byte[EtagText.Length];
        for (int at = 0; at < EtagText.Length; at++)
        {
            for (int value = 0; value < 256; value++)
            {
                Assert.True(EtagText.TryFormat(0x0123456789ABCDEF, 0xFEDCBA9876543210, text));
                bool isDigit = text[at] != '-';
                bool isSame = text[at] == value
                    || (char.IsAsciiLetter((char)value) && (text[at] | 0x20) == (value | 0x20));
                text[at] = (byte)value;
                bool read = EtagText.TryParse(text, out ulong first, out ulong second);
                Assert.Equal(isSame || (isDigit && char.IsAsciiHexDigit((char)value)), read);
                Assert.Equal(isSame, (first, second) == (0x0123456789ABCDEF, 0xFEDCBA9876543210));
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(35)]
    [InlineData(37)]
    public void A_text_of_another_length_is_refused(int length)
    {
        byte[] text = new byte[length];
        text.AsSpan().Fill((byte)'0');
        Assert.False(EtagText.TryParse(text, out _, out _));
        Assert.Equal(length >= EtagText.Length, EtagText.TryFormat(1, 2, text));
    }

    [Fact]
    public void The_bytes_of_keys_sort_in_the_order_of_their_etags()
    {
        Random random = new(Seed + 1);
        byte[] left = new byte[EtagText.KeyLength];
        byte[] right = new byte[EtagText.KeyLength];
        for (int i = 0; i < 10_000; i++)
        {
            long smaller = random.NextInt64(long.MaxValue) >> random.Next(62);
            long larger = smaller + 1 + (random.NextInt64(long.MaxValue - smaller) >> random.Next(62));
            EtagText.WriteKey(smaller, left);
            EtagText.WriteKey(larger, right);
            Assert.True(left.AsSpan().SequenceCompareTo(right) < 0, $"{smaller} and {larger}");
            Assert.Equal(larger, EtagText.ReadKey(right));
        }
    }

    [Fact]
    public void Formatting_and_parsing_allocate_nothing()
    {
        byte[] text = new byte[EtagText.Length];
        Assert.True(EtagText.TryFormat(1, 2, text));
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (ulong i = 0; i < 100; i++)
            {
                Assert.True(EtagText.TryFormat(i, i << 40, text) && EtagText.TryParse(text, out _, out _));
            }
        }));
    }
}
