using System.Security.Cryptography;
using System.Text;
using Raven.Security.Secrets;

namespace FastTests.Security;

/// <summary>The vectors of https://c2sp.org/XAES-256-GCM.</summary>
public sealed class XAes256GcmTests
{
    private static readonly byte[] Nonce = "ABCDEFGHIJKLMNOPQRSTUVWX"u8.ToArray();
    private static readonly byte[] Plain = "XAES-256-GCM"u8.ToArray();

    [Theory]
    [Trait("Security", "63")]
    [InlineData(0x01, "", "ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271")]
    [InlineData(0x03, "c2sp.org/XAES-256-GCM", "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d")]
    public void The_vectors_of_the_specification_are_met(byte key, string associated, string cipher)
    {
        byte[] sealedBytes = new byte[Plain.Length + XAes256Gcm.TagBytes];
        byte[] keyBytes = new byte[XAes256Gcm.KeyBytes];
        keyBytes.AsSpan().Fill(key);
        XAes256Gcm.Seal(keyBytes, Nonce, Plain, Encoding.ASCII.GetBytes(associated), sealedBytes);
        Assert.Equal(cipher, Convert.ToHexStringLower(sealedBytes));

        byte[] opened = new byte[Plain.Length];
        Assert.True(XAes256Gcm.TryOpen(keyBytes, Nonce, sealedBytes, Encoding.ASCII.GetBytes(associated), opened));
        Assert.Equal(Plain, opened);
    }

    [Fact]
    [Trait("Security", "63")]
    public void The_accumulated_vector_of_ten_thousand_messages_is_met()
    {
        if (!Shake128.IsSupported)
        {
            return;
        }

        // Keys, nonces, messages and associated data are what SHAKE128 makes of nothing.
        const int count = 10_000;
        ReadOnlySpan<byte> input = Shake128.HashData(
            ReadOnlySpan<byte>.Empty, count * (XAes256Gcm.KeyBytes + XAes256Gcm.NonceBytes + 2 + (2 * byte.MaxValue)));
        using var all = new Shake128();
        byte[] cipher = new byte[byte.MaxValue + XAes256Gcm.TagBytes];
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> key = Take(ref input, XAes256Gcm.KeyBytes);
            ReadOnlySpan<byte> nonce = Take(ref input, XAes256Gcm.NonceBytes);
            ReadOnlySpan<byte> plain = Take(ref input, Take(ref input, 1)[0]);
            ReadOnlySpan<byte> associated = Take(ref input, Take(ref input, 1)[0]);
            Span<byte> made = cipher.AsSpan(0, plain.Length + XAes256Gcm.TagBytes);
            XAes256Gcm.Seal(key, nonce, plain, associated, made);
            all.AppendData(made);
        }

        Assert.Equal(
            "e6b9edf2df6cec60c8cbd864e2211b597fb69a529160cd040d56c0c210081939",
            Convert.ToHexStringLower(all.GetHashAndReset(32)));
    }

    [Fact]
    [Trait("Security", "63")]
    public void A_changed_bit_of_any_part_opens_nothing()
    {
        byte[] key = RandomNumberGenerator.GetBytes(XAes256Gcm.KeyBytes);
        byte[] nonce = RandomNumberGenerator.GetBytes(XAes256Gcm.NonceBytes);
        byte[] associated = "where"u8.ToArray();
        byte[] cipher = new byte[Plain.Length + XAes256Gcm.TagBytes];
        XAes256Gcm.Seal(key, nonce, Plain, associated, cipher);
        byte[] opened = new byte[Plain.Length];
        foreach (byte[] part in (byte[][])[key, nonce, associated, cipher])
        {
            for (int bit = 0; bit < part.Length * 8; bit++)
            {
                part[bit / 8] ^= (byte)(1 << (bit % 8));
                Assert.False(XAes256Gcm.TryOpen(key, nonce, cipher, associated, opened));
                Assert.All(opened, b => Assert.Equal(0, b));
                part[bit / 8] ^= (byte)(1 << (bit % 8));
            }
        }

        Assert.True(XAes256Gcm.TryOpen(key, nonce, cipher, associated, opened));
        Assert.False(XAes256Gcm.TryOpen(key, nonce, cipher.AsSpan(0, XAes256Gcm.TagBytes - 1), associated, []));
    }

    private static ReadOnlySpan<byte> Take(ref ReadOnlySpan<byte> from, int count)
    {
        ReadOnlySpan<byte> taken = from[..count];
        from = from[count..];
        return taken;
    }
}
