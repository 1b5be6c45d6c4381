using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using FastTests.Compression;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Blittable.Text;

namespace FastTests.Blittable;

public sealed class VectorScanTests : IDisposable
{
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Fact]
    [Trait("Invariant", "SCAN-1")]
    [Trait("Invariant", "STR-3")]
    [Trait("Invariant", "PARSE-2")]
    public void A_text_is_parsed_at_any_distance_from_memory_that_cannot_be_read()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer guarded = new(4096);
        string[] texts = ["{}", "[1.5,-27]", "{\"a\":\"\u0416\u3042\\u3042\\u3042\\u3042\\u3042\",\"b\":[0.25,true]}"];
        foreach (string text in texts)
        {
            byte[] json = Encoding.UTF8.GetBytes(text);
            string expected = Documents.ToJson(Documents.Parse(_context, text));
            for (int distance = 0; distance <= JsonScanner.ReadAhead + 2; distance++)
            {
                Span<byte> place = guarded.AtEnd(json.Length + distance);
                place.Fill((byte)'"');
                json.CopyTo(place);
                Assert.True(_context.Parser.TryParseValue(
                    place[..json.Length], BlittableMode.ToMemory, out BlittableValue value, out JsonError _));
                Assert.Equal(expected, Documents.ToJson(value));
                _context.Reset();
            }
        }
    }

    [Fact]
    [Trait("Invariant", "STR-1")]
    public void Bytes_are_valid_UTF8_exactly_if_the_runtime_says_so()
    {
        const int seed = 20261121;
        Random random = new(seed);
        string[] characters =
            ["a", "~", "\u0080", "\u07FF", "\u0800", "\uD7FF", "\uE000", "\uFFFF", "\U00010000", "\U0010FFFF"];
        byte[] likely =
            [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xFF];
        byte[] buffer = new byte[256];
        int valid = 0;
        for (int i = 0; i < 60_000; i++)
        {
            int length = 0;
            int wanted = random.Next(1, 120);
            while (length < wanted)
            {
                length += Encoding.UTF8.GetBytes(characters[random.Next(characters.Length)], buffer.AsSpan(length));
            }

            for (int damage = random.Next(3); damage > 0; damage--)
            {
                buffer[random.Next(length)] = likely[random.Next(likely.Length)];
            }

            length -= random.Next(4) == 0 ? Math.Min(length - 1, 2) : 0;
            buffer[length] = (byte)'"';
            random.NextBytes(buffer.AsSpan(length + 1, 40));
            bool expected = Utf8.IsValid(buffer.AsSpan(0, length));
            valid += expected ? 1 : 0;
            if (Utf8Check.IsSupported)
            {
                Assert.True(expected == Utf8Check.IsValid(ref buffer[0], length), $"seed {seed}, round {i}");
                bool isShort = length < 32;
                uint inside = isShort ? (2u << length) - 1 : 0;
                Assert.True(
                    !isShort || expected == Utf8Check.IsValidShort(ref buffer[0], inside), $"seed {seed}, round {i}");
            }
        }

        Assert.InRange(valid, 5_000, 55_000);
    }

    [Fact]
    public void Escapes_in_a_row_are_read_as_the_runtime_reads_them()
    {
        const int seed = 20261121;
        Random random = new(seed);
        string units = "a\"\u0000\u07FF\u0800\u3042\uABCD\uD7FF\uD800\uDC00\uE000\uFFFF";
        int refused = 0;
        for (int i = 0; i < 20_000; i++)
        {
            StringBuilder text = new("\"");
            int plain = random.Next(4) == 0 ? 0 : 5;
            for (int count = random.Next(1, 14); count > 0; count--)
            {
                char unit = units[plain + random.Next(plain == 0 ? units.Length : 2)];
                string escape = ((int)unit).ToString(random.Next(2) == 0 ? "x4" : "X4", null);
                text.Append(random.Next(30) == 0 ? "-" : string.Empty).Append("\\u").Append(escape);
            }

            text.Append('"');
            if (random.Next(4) == 0)
            {
                text[random.Next(1, text.Length - 1)] = "gG/:@`'u\\\u007F"[random.Next(10)];
            }

            AssertAsRuntime(text.ToString(), ref refused, $"seed {seed}, round {i}: {text}");
        }

        Assert.InRange(refused, 1_000, 19_000);
    }

    private void AssertAsRuntime(string json, ref int refused, string what)
    {
        string? expected = null;
        try
        {
            expected = JsonSerializer.Deserialize<string>(json);
        }
        catch (JsonException)
        {
            refused++;
        }

        bool done = _context.Parser.TryParseValue(
            Encoding.UTF8.GetBytes(json), BlittableMode.ToMemory, out BlittableValue value, out JsonError _);
        Assert.True(done == expected is not null, what);
        if (done)
        {
            Assert.Equal(expected, JsonSerializer.Deserialize<string>(Documents.ToJson(value)));
        }

        _context.Reset();
    }
}
