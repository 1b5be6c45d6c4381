namespace FastTests.Support;

/// <summary>The order that trees must keep, written a second time and in the plainest way.</summary>
internal sealed class ByteOrder : IComparer<byte[]>
{
    internal static ByteOrder Instance { get; } = new();

    public int Compare(byte[]? x, byte[]? y)
    {
        for (int i = 0; i < x!.Length && i < y!.Length; i++)
        {
            if (x[i] != y[i])
            {
                return x[i] - y[i];
            }
        }

        return x.Length - y!.Length;
    }
}
