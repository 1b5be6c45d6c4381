using System.Globalization;
using System.Text;

namespace FastTests.Compression;

/// <summary>Inputs of several kinds, made from fixed seeds.</summary>
internal static class SampleTexts
{
    private static readonly string[] _words =
    [
        "museum", "portrait", "of", "the", "artist", "oil", "paint", "on", "canvas", "1894", "\"title\":", "\"id\":",
        "null", "Turner, Joseph Mallord William", "{", "}", ",", "http://www.tate.org.uk/art/images/work/", "Presented",
        "people",
    ];

    /// <summary>Alike records in a row, as a bulk of documents has them.</summary>
    internal static byte[] Records(int count)
    {
        StringBuilder text = new();
        for (int i = 0; i < count; i++)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"{{\"id\":{i},\"name\":\"item {i * 7919 % 1000}\",\"tags\":[\"a\",\"b\"]}},");
        }

        return Encoding.UTF8.GetBytes(text.ToString());
    }

    /// <summary>Words out of a short list: many short matches at all distances.</summary>
    internal static byte[] Words(Random random, int length)
    {
        StringBuilder text = new();
        while (text.Length < length)
        {
            text.Append(_words[random.Next(_words.Length)]).Append(random.Next(5) == 0 ? random.Next(10000) : ' ');
        }

        return Encoding.UTF8.GetBytes(text.ToString(0, length));
    }

    /// <summary>Bytes of few values, in runs and patterns whose periods go from 1 to 40.</summary>
    internal static byte[] Patterns(Random random, int length)
    {
        byte[] bytes = new byte[length];
        int at = 0;
        while (at < length)
        {
            int period = random.Next(1, 41);
            int run = Math.Min(length - at, random.Next(1, 12) * period);
            for (int i = 0; i < run; i++)
            {
                bytes[at + i] = i < period ? (byte)random.Next(256) : bytes[at + i - period];
            }

            at += run;
        }

        return bytes;
    }

    /// <summary>Bytes that cannot be compressed.</summary>
    internal static byte[] Noise(Random random, int length)
    {
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }

    /// <summary>One of the kinds, chosen by the random numbers.</summary>
    internal static byte[] Any(Random random, int length) => random.Next(4) switch
    {
        0 => Noise(random, length),
        1 => Patterns(random, length),
        _ => Words(random, length),
    };
}
