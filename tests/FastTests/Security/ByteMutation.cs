namespace FastTests.Security;

/// <summary>Changes bytes by chance, as many different ways as a few lines have.</summary>
/// <param name="random">The choices.</param>
/// <param name="words">What is put in now and then.</param>
internal sealed class ByteMutation(Random random, IReadOnlyList<byte[]> words)
{
    private const int ChangesMax = 4;
    private const int LengthMax = 64 * 1024;

    private static readonly byte[] Odd = [0, 1, 9, 10, 13, 32, 34, 39, 44, 45, 46, 58, 61, 92, 95, 127, 128, 194, 255];

    /// <summary>A changed copy.</summary>
    internal byte[] Change(byte[] original)
    {
        byte[] bytes = original;
        for (int changes = random.Next(1, ChangesMax + 1); changes > 0; changes--)
        {
            bytes = Once(bytes);
        }

        return bytes.Length <= LengthMax ? bytes : bytes[..LengthMax];
    }

    private byte[] Once(byte[] bytes)
    {
        int at = random.Next(bytes.Length + 1);
        int end = Math.Min(bytes.Length, at + (int)Math.Pow(2, 8 * random.NextDouble()));
        byte[] before = bytes[..at];
        byte[] part = bytes[at..end];
        byte[] behind = bytes[end..];
        switch (random.Next(9))
        {
            case 0:
                return [.. before, .. behind];
            case 1:
                return [.. before, .. part, .. part, .. behind];
            case 2:
                return before;
            case 3:
                return behind.Length > 0 ? behind : part;
            case 4:
                return [.. before, .. words[random.Next(words.Count)], .. bytes[at..]];
            case 5:
                return [.. before, .. words[random.Next(words.Count)], .. behind];
            case 6:
                return [.. before, Odd[random.Next(Odd.Length)], .. bytes[at..]];
            default:
                // A bit of one byte: the change that is hardest to see.
                byte[] copy = [.. bytes];
                if (at < copy.Length)
                {
                    copy[at] ^= (byte)(1 << random.Next(8));
                }

                return copy;
        }
    }
}
