using Raven.Documents.Rows.Series;

namespace FastTests.Documents.Series;

/// <summary>Random points of every kind that a segment may meet.</summary>
internal static class PointSource
{
    internal const long Start = 63_800_000_000_000;

    /// <summary>A double of a random kind: decimals, whole numbers, subnormals, zeros, NaN.</summary>
    internal static double Any(Random random) => random.Next(12) switch
    {
        0 => BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue)),
        1 => BitConverter.Int64BitsToDouble(random.NextInt64(1L << 52)),
        2 => -0.0,
        3 => 0,
        4 => double.NaN,
        5 => random.Next(2) == 0 ? double.PositiveInfinity : double.NegativeInfinity,
        6 => random.NextInt64(-(1L << 60), 1L << 60),
        7 => random.Next(2) == 0 ? double.MaxValue : double.Epsilon,
        8 => random.Next(-1000, 1000),
        9 => Math.Round(random.NextDouble() * 1e6, random.Next(12)),
        _ => random.Next(-100_000, 100_000) / 100.0,
    };

    /// <summary>The next value of a column that is mostly of one kind.</summary>
    internal static double Next(Random random, int kind, double before) => kind switch
    {
        0 => Any(random),
        1 => Math.Round(20 + (random.NextDouble() * 5), 2),
        2 => before,
        3 => random.Next(100) == 0 ? Any(random) : Math.Round(before + ((random.NextDouble() - 0.5) / 10), 3),
        4 => (double.IsFinite(before) ? before : 100) + ((random.NextDouble() - 0.5) / 10),
        _ => random.NextDouble(),
    };

    /// <summary>Points in the order of their times.</summary>
    internal static PointList Points(Random random, int count, int width, bool isMixed, bool isTagged)
    {
        var points = new PointList();
        double[] values = new double[width];
        int[] kinds = [.. Enumerable.Range(0, width).Select(_ => random.Next(6))];
        bool isRegular = random.Next(2) == 0;
        long time = Start + random.Next(100_000);
        for (int i = 0; i < count; i++)
        {
            int present = isMixed && i != 0 ? 1 + random.Next(width) : width;
            for (int column = 0; column < present; column++)
            {
                values[column] = Next(random, kinds[column], values[column]);
            }

            string tag = isTagged && random.Next(3) != 0 ? $"sensors/{random.Next(5)}" : "";
            points.Add(time, values.AsSpan(0, present), System.Text.Encoding.UTF8.GetBytes(tag));
            time += isRegular ? 1000 : 1 + random.NextInt64(random.Next(1_000_000));
        }

        return points;
    }

    /// <summary>That two lists have the same points, bit for bit.</summary>
    internal static void AssertSame(PointList expected, PointList actual)
    {
        Assert.Equal(expected.Count, actual.Count);
        for (int i = 0; i < expected.Count; i++)
        {
            Assert.Equal(expected.TimeAt(i), actual.TimeAt(i));
            Assert.True(expected.TagAt(i).SequenceEqual(actual.TagAt(i)), $"tag {i}");
            Assert.Equal(expected.ValuesAt(i).Length, actual.ValuesAt(i).Length);
            for (int column = 0; column < expected.ValuesAt(i).Length; column++)
            {
                Assert.Equal(
                    BitConverter.DoubleToInt64Bits(expected.ValuesAt(i)[column]),
                    BitConverter.DoubleToInt64Bits(actual.ValuesAt(i)[column]));
            }
        }
    }
}
