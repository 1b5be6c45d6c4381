using System.Security.Cryptography;
using Raven.Security.Secrets;

namespace FastTests.Security;

/// <summary>A sealed stream opens as it was, or not at all.</summary>
public sealed class SealedStreamTests
{
    private const int Chunk = 64 << 10;

    private static readonly byte[] Key = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Chunk - 1)]
    [InlineData(Chunk)]
    [InlineData(Chunk + 1)]
    [InlineData(3 * Chunk)]
    [InlineData(200_000)]
    public void What_was_sealed_opens(int length)
    {
        byte[] plain = new byte[length];
        new Random(length).NextBytes(plain);
        byte[] cipher = Seal(plain);
        Assert.Equal(plain, Open(cipher, Key));
        Assert.NotEqual(cipher, Seal(plain));
    }

    [Fact]
    [Trait("Row", "64")]
    [Trait("Invariant", "CHUNK-1")]
    public void What_was_changed_cut_moved_repeated_or_added_does_not_open()
    {
        byte[] plain = new byte[3 * Chunk + 100];
        new Random(1).NextBytes(plain);
        byte[] cipher = Seal(plain);
        var random = new Random(2);
        for (int i = 0; i < 200; i++)
        {
            byte[] damaged = [.. cipher];
            damaged[i < 72 ? i : random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
            Refuse(damaged);
        }

        const int sealedChunk = Chunk + 16;
        foreach (int length in (int[])
            [0, 8, 71, 72, 72 + 10, 72 + sealedChunk, 72 + (2 * sealedChunk), cipher.Length - 1])
        {
            Refuse(cipher[..length]);
        }

        Range first = 72..(72 + sealedChunk);
        Range second = (72 + sealedChunk)..(72 + (2 * sealedChunk));
        Refuse([.. cipher[..72], .. cipher[second], .. cipher[first], .. cipher[(72 + (2 * sealedChunk))..]]);
        Refuse([.. cipher[..72], .. cipher[first], .. cipher[first], .. cipher[(72 + (2 * sealedChunk))..]]);
        Refuse([.. cipher, 0]);
        Refuse([.. cipher, .. cipher[second]]);
        byte[] other = Seal(plain);
        Refuse([.. cipher[..72], .. other[first], .. cipher[(72 + sealedChunk)..]]);
    }

    [Fact]
    public void Another_key_is_told_from_damage()
    {
        byte[] cipher = Seal([1, 2, 3]);
        byte[] other = RandomNumberGenerator.GetBytes(32);
        MasterKeyException refused = Assert.Throws<MasterKeyException>(() => Open(cipher, other));
        Assert.Contains("another key", refused.Message, StringComparison.Ordinal);
        Assert.NotEqual(SealingStream.CheckOf(Key), SealingStream.CheckOf(other));
    }

    private static byte[] Seal(byte[] plain)
    {
        using var target = new MemoryStream();
        using (var sealing = new SealingStream(target, Key))
        {
            var random = new Random(plain.Length);
            for (int at = 0; at < plain.Length;)
            {
                int count = Math.Min(random.Next(1, 50_000), plain.Length - at);
                sealing.Write(plain, at, count);
                at += count;
            }
        }

        return target.ToArray();
    }

    private static byte[] Open(byte[] cipher, byte[] key)
    {
        using var opening = new OpeningStream(new MemoryStream(cipher), key);
        using var plain = new MemoryStream();
        opening.CopyTo(plain);
        return plain.ToArray();
    }

    private static void Refuse(byte[] cipher) => Assert.Throws<MasterKeyException>(() => Open(cipher, Key));
}
