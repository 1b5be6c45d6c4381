namespace Raven.Documents.Rows.Series;

//   OFFSET  SIZE  FIELD
//        0     1  Mode        0 to 15: the values are whole numbers, divided by ten to the power of this;
//                             255: the bits of the values, in the order of the values
//        1     .  Exceptions  varint: how many values have other bits than that; only if Mode is not 255
//        .     .  for each: its index less that of the one before (varint), its 8 bytes
//        .     .  PackedIntegers
//
//   COL-1  Each value comes back with the same bits: NaN with its payload, negative zero and subnormals too.

/// <summary>The values of one column of a sealed segment. One thread; allocates nothing after its first use.</summary>
internal sealed class ValueColumn
{
    private const int PowerMax = 15;
    private const byte BitsMode = 255;
    private const double WholeMax = 1L << 53;

    // From this width on, numbers of decimal digits may take more than the bits themselves do.
    private const long LargeWhole = 1L << 36;

    private static readonly double[] Powers =
        [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

    private long[] _numbers = [];
    private int[] _exceptions = [];

    /// <summary>Writes a column.</summary>
    internal void Write(ref ByteWriter writer, scoped ReadOnlySpan<double> values)
    {
        if (_numbers.Length < values.Length)
        {
            _numbers = new long[values.Length];
            _exceptions = new int[values.Length];
        }

        int power = PowerOf(values);
        if (power < 0 || !TryWriteDecimals(ref writer, values, power))
        {
            Span<long> numbers = _numbers.AsSpan(0, values.Length);
            for (int i = 0; i < values.Length; i++)
            {
                numbers[i] = Ordered(BitConverter.DoubleToInt64Bits(values[i]));
            }

            writer.Byte(BitsMode);
            PackedIntegers.Write(ref writer, numbers);
        }
    }

    /// <summary>Reads a column of as many values as there is room for.</summary>
    internal void Read(ref ByteReader reader, scoped Span<double> values)
    {
        if (_numbers.Length < values.Length)
        {
            _numbers = new long[values.Length];
            _exceptions = new int[values.Length];
        }

        Span<long> numbers = _numbers.AsSpan(0, values.Length);
        byte mode = reader.Byte();
        if (mode == BitsMode)
        {
            PackedIntegers.Read(ref reader, numbers);
            for (int i = 0; i < values.Length; i++)
            {
                values[i] = BitConverter.Int64BitsToDouble(Ordered(numbers[i]));
            }

            return;
        }

        int exceptions = checked((int)reader.Varint());
        ByteReader odd = reader;
        for (int i = 0; i < exceptions; i++)
        {
            reader.Varint();
            reader.Skip(sizeof(long));
        }

        PackedIntegers.Read(ref reader, numbers);
        double power = Powers[mode];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = numbers[i] / power;
        }

        int index = 0;
        for (int i = 0; i < exceptions; i++)
        {
            index += (int)odd.Varint();
            values[index] = BitConverter.Int64BitsToDouble(odd.Int64());
        }
    }

    /// <summary>The power of ten that makes most of the values whole; -1 if too many are left.</summary>
    private static int PowerOf(ReadOnlySpan<double> values)
    {
        int power = 0;
        int left = 1 + (values.Length / 16);
        foreach (double value in values)
        {
            if (IsWhole(value, Powers[power]))
            {
                continue;
            }

            int next = power + 1;
            while (next <= PowerMax && !IsWhole(value, Powers[next]))
            {
                next++;
            }

            if (next <= PowerMax)
            {
                power = next;
            }
            else if (--left < 0)
            {
                return -1;
            }
        }

        return power;
    }

    private bool TryWriteDecimals(ref ByteWriter writer, scoped ReadOnlySpan<double> values, int power)
    {
        Span<long> numbers = _numbers.AsSpan(0, values.Length);
        double factor = Powers[power];
        int exceptions = 0;
        long previous = 0;
        long largest = 0;
        for (int i = 0; i < values.Length; i++)
        {
            if (IsWhole(values[i], factor))
            {
                previous = (long)Math.Round(values[i] * factor);
                largest |= Math.Abs(previous);
            }
            else
            {
                _exceptions[exceptions++] = i;
            }

            numbers[i] = previous;
        }

        if (exceptions > 1 + (values.Length / 16) || (largest > LargeWhole && !IsSmaller(values, numbers)))
        {
            return false;
        }

        writer.Byte(power);
        writer.Varint((ulong)exceptions);
        int before = 0;
        for (int i = 0; i < exceptions; i++)
        {
            int index = _exceptions[i];
            writer.Varint((ulong)(index - before));
            writer.Int64(BitConverter.DoubleToInt64Bits(values[index]));
            before = index;
        }

        PackedIntegers.Write(ref writer, numbers);
        return true;
    }

    /// <summary>Whether decimal digits take fewer bits from one value to the next than the values' own bits
    /// do.</summary>
    private static bool IsSmaller(ReadOnlySpan<double> values, ReadOnlySpan<long> numbers)
    {
        double digits = 0;
        double bits = 0;
        for (int i = 1; i < values.Length; i++)
        {
            digits += Math.Log2(1 + Math.Abs((double)(numbers[i] - numbers[i - 1])));
            long one = Ordered(BitConverter.DoubleToInt64Bits(values[i]));
            long other = Ordered(BitConverter.DoubleToInt64Bits(values[i - 1]));
            bits += Math.Log2(1 + Math.Abs((double)one - other));
        }

        return digits <= bits;
    }

    private static bool IsWhole(double value, double factor)
    {
        double whole = Math.Round(value * factor);

        // A division gives the double that is nearest to a decimal number; a product by 0.01 does not.
        return Math.Abs(whole) < WholeMax
            && BitConverter.DoubleToInt64Bits((long)whole / factor) == BitConverter.DoubleToInt64Bits(value);
    }

    /// <summary>Bits of doubles as integers in the order of the doubles, and back.</summary>
    private static long Ordered(long bits) => bits ^ ((bits >> 63) & long.MaxValue);
}
