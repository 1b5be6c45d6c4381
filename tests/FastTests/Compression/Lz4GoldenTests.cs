using Raven.Blittable.Compression;

namespace FastTests.Compression;

/// <summary>
/// Blocks that liblz4 1.9.4 (<c>LZ4_compress_default</c>) made, committed: what is on disk today must stay readable,
/// and the format must be checked even if the library is not installed.
/// </summary>
public sealed class Lz4GoldenTests
{
    [Fact]
    [Trait("Invariant", "LZ4-4")]
    public void Blocks_made_by_liblz4_decode_to_what_went_in()
    {
        foreach ((string name, byte[] expected, string block) in Blocks())
        {
            byte[] target = new byte[expected.Length];
            Assert.True(Lz4.TryDecode(Convert.FromBase64String(block), target, out int written), name);
            Assert.Equal(expected.Length, written);
            Assert.Equal(expected, target);
        }
    }

    [Fact]
    public void Cut_and_lengthened_golden_blocks_are_refused()
    {
        foreach ((string name, byte[] expected, string text) in Blocks())
        {
            byte[] block = Convert.FromBase64String(text);
            byte[] target = new byte[expected.Length];
            for (int cut = 0; cut < block.Length; cut++)
            {
                bool whole = Lz4.TryDecode(block.AsSpan(0, cut), target, out int written) && written == expected.Length;
                Assert.False(whole, $"{name}, cut at {cut}");
            }

            Assert.False(Lz4.TryDecode([.. block, 0], target, out _), name);
            Assert.False(expected.Length > 0 && Lz4.TryDecode(block, target.AsSpan(1), out _), name);
        }
    }

    [Theory]
    [Trait("Invariant", "LZ4-1")]
    [Trait("Invariant", "LZ4-2")]
    [InlineData("")]
    [InlineData("10")] // one literal announced, none there
    [InlineData("F0")] // a length that continues behind the end
    [InlineData("F0FFFFFFFFFFFFFFFF")]
    [InlineData("1041000050414141414141")] // offset 0
    [InlineData("1041020050414141414141")] // offset before the first byte
    [InlineData("104101000F")] // ends with a match
    [InlineData("1F4101000050414141414141")] // a byte too many behind the last literals
    public void Malformed_blocks_are_refused(string hex) =>
        Assert.False(Lz4.TryDecode(Convert.FromHexString(hex), new byte[1000], out _));

    private static IEnumerable<(string Name, byte[] Expected, string Block)> Blocks()
    {
        yield return ("Nothing", [],
            "AA==");
        yield return ("OneByte", [42],
            "ECo=");
        yield return ("Runs", Runs(1000),
            "H2EBAP///9JQYWFhYWE=");
        yield return ("Squares", Squares(700),
            "8P//rwAAAAECAwQGCAoMDxIVGBwgJCgtMjc8QkhOVFtiaXB4gIiQmaKrtL7I0tzn8v0IFCAsOEVSX2x6iJaks8LR4PAAECAx" +
            "QlNkdoiarL/S5fgMIDRIXXKHnLLI3vQLIjlQaICYsMni+xQuSGJ8l7LN6AQgPFh1kq/M6ggmRGOCocDgACBAYYKjxOYIKkxv" +
            "krXY/CBEaI2y1/wiSG6Uu+IJMFiAqND5Ikt0nsjyHEdyncj0IEx4pdL/LFqItuQTQnGg0AAwYJHC8yRWiLrsH1KFuOwgVIi9" +
            "8idcksj+NGui2RBIgLjwKWKb1A5Igrz3Mm2o5CBcmNUST4zKCEaEwwJBgMAAQIDBAkOExghKjM8SVZjcIGSo7TJ3vAJIjtQb" +
            "YqnwOIDIEFmi6zR+yBJcp/I9iNQgbLgFUp/sOojWJHPCEWCwAFCg8UKT5DaI2ix/0iV4zCB0yB1yxxxyyB50yyJ50CiA2DCJ" +
            "4juU7kii/FeyDWjEIHzYNZLvTKoIZsQjguFAoABgwCGC40SmCGrML5L1WLwghOhNshd84kiuFHviSbAYgOhQuSKL9F7IMpwH" +
            "ct1ItCCM+GXSP6waiPZk00KxIJAAcOBRwjOkFoj6bN9SxTisIJQIffJn3FLIPrQrohmQCID4cOli21TOSMI8tzKtKKQgnBiV" +
            "Eo8MigiGBIMCgQCAAIAAgQKDBIYIigyPEpUYnCCkKK0ytzzCSM5U22LpcPiACJAZoiu0PshS3GfyfQiUIKw4xVLfbPqIFqQz" +
            "wlHgcACQILFC02T2iBqsP9Jl+IwgtEjdcgecMshe9IsiuVDogBiwSeJ7FK5I4nwXsk3ohCC8WPWSL8xqCKZE44IhwGAAoEDh" +
            "giPEZgiqTO+SNdh8IMRoDbJX/KJI7pQ74okw2IAo0Hkiy3QeyHIcx3IdyHQgzHgl0n8s2og25JM=");
        yield return ("Periods", Periods(),
            "GUEBABtCAgA/QUJDAwACH0QEAAIAFQAfRQUABQEYAB9GBgAIAhsAH0cHAAsDHgAfSAgADgQhAB9JCQAaFUouAA8KAAsGJwAf" +
            "SwsAFwcqAB9MDAAaCC0AH00NAB0JMAAfTg4AIAozAB9PDwAjCzYAH1AQACYMOQAfUREAKQ08AB9SEgAsDj8AH1MTAC8PQgAA" +
            "H1QUADIPRQABH1UVADUPSAACH1YWADgPSwADH1cXADsPTgAEH1gYAD4PUQAFH1kZAEEPVAAGH1oaAEQPVwAHH1sbAEcPWgAI" +
            "H1wcAEoPXQAJH10dAE0PYAAKH14eAFAPYwALH18fAFMPZgAMH2AgAFYPaQANH2EhAFkPbAAOH2IiAFwPbwAPH2MjAFpQRUZH" +
            "SEk=");
        yield return ("Records", SampleTexts.Records(60),
            "8ht7ImlkIjowLCJuYW1lIjoiaXRlbSAwIiwidGFncyI6WyJhIiwiYiJdfSwqABoxKgA/OTE5LAAHGjIsAD84MzgsAAcaMywA" +
            "Pzc1NywABxo0LAA/Njc2LAAHGjUsAD81OTUsAAcbNiwALzE0LAAHGjcsAD80MzMsAAcaOCwAPzM1MiwABxo5LAA/MjcxLAAH" +
            "GzG3AS8xObkBCQu6AS8xMLoBCBsxuwEfMroBCBsxuwEvOTS7AQgbMbwBLzg2vAEIGzG9AS83OL0BCBsxvgEvNzC+AQgbMb8B" +
            "LzYyvwEIGzHAAS81NMABCBsxwQEvNDbBAQgbMsEBLzM4wQEIGzLBAS8yOcEBCBwywQEfMcIBCBsywgEvMTPCAQgbMsIBHzXB" +
            "AQgbMsEBLzk3wQEIGzLBAS84OcEBCBsywQEvODHBAQgbMsEBLzczwQEIGzLBAS82NcEBCBszwQEvNTfBAQgbM8EBLzQ4wQEI" +
            "GzPBAS80MMEBCBszwQEvMzLBAQgbM8EBLzI0wgEIGzPCAS8xNsIBCBwzwgEPwQEIGzPBAQ+/AQgbM78BLzkyvwEIGzO/AS84" +
            "NL8BCBs0vwEvNza/AQgbNL8BLzY3vwEIGzS/AS81Ob8BCBs0vwEvNTG/AQgbNL8BLzQzvwEIGzS/AS8zNb8BCBs0vwEvMjfA" +
            "AQgbNMABLzE5wgEIGzTCAS8xMcIBCBs0wgEfM8EBCBs1wQEvOTXBAQgbNcEBLzg2wQEIGzXBAS83OMEBCBs1wQEvNzDBAQgb" +
            "NcEBLzYywQEIGzXBAS81NMEBCBs1wQEvNDbBAQgbNcEBLzM4wQEIGzXBAS8zMMEBCBs1wQEsMjLCAVBiIl19LA==");
        yield return ("LongLiterals", SampleTexts.Records(8)[..290],
            "8ht7ImlkIjowLCJuYW1lIjoiaXRlbSAwIiwidGFncyI6WyJhIiwiYiJdfSwqABoxKgA/OTE5LAAHGjIsAD84MzgsAAcaMywA" +
            "Pzc1NywABxo0LAA/Njc2LAAHGjUsAD81OTUsAAcbNiwAYDE0IiwidA==");
    }

    private static byte[] Runs(int length) => [.. Enumerable.Repeat((byte)'a', length)];

    private static byte[] Squares(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)((i * i) >> 3))];

    /// <summary>Repeats of every period that the decoder treats apart: 1 to 35.</summary>
    private static byte[] Periods() =>
    [
        .. Enumerable.Range(1, 35)
            .SelectMany(period => Enumerable.Range(0, (4 * period) + 9).Select(i => (byte)(65 + (i % period)))),
    ];
}
