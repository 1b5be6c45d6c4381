using Raven.Blittable.Text;

namespace FastTests.Text;

public sealed class ByteOrderTests
{
    private const int Seed = 20260806;

    [Fact]
    public void Bytes_are_ordered_as_the_runtime_orders_them()
    {
        Random random = new(Seed);
        for (int i = 0; i < 200_000; i++)
        {
            byte[] left = new byte[random.Next(1 << random.Next(1, 8))];
            random.NextBytes(left);
            byte[] right = random.Next(4) == 0 ? new byte[random.Next(80)] : left[..random.Next(left.Length + 1)];
            if (right.Length > 0 && random.Next(3) != 0)
            {
                right[random.Next(right.Length)] ^= (byte)(1 << random.Next(8));
            }

            int expected = Math.Sign(left.AsSpan().SequenceCompareTo(right));
            bool isSame = expected == Math.Sign(ByteOrder.Compare(left, right))
                && -expected == Math.Sign(ByteOrder.Compare(right, left));
            Assert.True(isSame, $"{Convert.ToHexString(left)} and {Convert.ToHexString(right)}");
        }
    }

    [Fact]
    public void A_copy_of_every_length_writes_its_bytes_and_none_beside_them()
    {
        byte[] source = new byte[100];
        new Random(Seed + 1).NextBytes(source);
        for (int length = 0; length <= 80; length++)
        {
            byte[] target = new byte[100];
            target.AsSpan().Fill(0xEE);
            ByteOrder.Copy(source.AsSpan(3, length), target.AsSpan(5));
            Assert.True(target.AsSpan(5, length).SequenceEqual(source.AsSpan(3, length)), $"length {length}");
            Assert.Equal(-1, target.AsSpan(0, 5).IndexOfAnyExcept((byte)0xEE));
            Assert.Equal(-1, target.AsSpan(5 + length).IndexOfAnyExcept((byte)0xEE));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(9)]
    [InlineData(20)]
    [InlineData(50)]
    public void A_target_that_is_too_short_is_refused(int length) =>
        Assert.Throws<ArgumentException>(() => ByteOrder.Copy(new byte[length], new byte[length - 1]));
}
