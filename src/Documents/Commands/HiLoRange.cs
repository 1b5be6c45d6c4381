namespace Raven.Documents.Commands;

/// <summary>
/// A range of numbers reserved for a client, which makes ids of them by itself. If a client asks for the next range
/// soon, it is larger, so that a busy client asks seldom; otherwise it is smaller, so that an idle one wastes few.
/// </summary>
/// <param name="Low">The first number.</param>
/// <param name="High">The last number.</param>
public readonly record struct HiLoRange(long Low, long High)
{
    /// <summary>The first range of a client, and the smallest.</summary>
    internal const int SizeMin = 32;

    /// <summary>The largest range.</summary>
    internal const int SizeMax = 1 << 20;

    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Late = TimeSpan.FromMinutes(5);

    /// <summary>How many numbers to reserve.</summary>
    /// <param name="lastSize">The size of the last range, or 0.</param>
    /// <param name="sinceLast">How long ago it was reserved; null if there was none.</param>
    internal static int NextSize(long lastSize, TimeSpan? sinceLast)
    {
        if (sinceLast is not { } elapsed || lastSize < SizeMin)
        {
            return SizeMin;
        }

        long size = elapsed < Soon ? lastSize * 2 : elapsed > Late ? lastSize / 2 : lastSize;
        return (int)Math.Clamp(size, SizeMin, SizeMax);
    }

    /// <summary>The range behind all numbers that were reserved before.</summary>
    /// <param name="storedMax">The last number that the database reserved, or 0.</param>
    /// <param name="clientMax">The last number that the client knows of; one above the database's is
    /// skipped over.</param>
    /// <param name="size">How many numbers.</param>
    internal static HiLoRange After(long storedMax, long clientMax, int size)
    {
        long low = Math.Max(storedMax, clientMax) + 1;
        return new HiLoRange(low, low + size - 1);
    }
}
