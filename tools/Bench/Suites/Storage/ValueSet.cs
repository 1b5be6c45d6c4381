namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Values of one length that differ from each other, each half random: they pack to about half, not to a copy of the
/// one before.
/// </summary>
internal sealed class ValueSet
{
    private const int CountMax = 4_096;
    private const int BytesMax = 4 << 20;

    private readonly byte[][] _values;

    internal ValueSet(int length, int seed = 1)
    {
        var random = new Random(seed);
        _values = new byte[Math.Clamp(BytesMax / length, 1, CountMax)][];
        for (int i = 0; i < _values.Length; i++)
        {
            _values[i] = new byte[length];
            random.NextBytes(_values[i].AsSpan(0, length / 2));
        }
    }

    /// <summary>One value for all keys.</summary>
    internal ValueSet(byte[] value) => _values = [value];

    internal byte[] this[int index] => _values[index % _values.Length];
}
