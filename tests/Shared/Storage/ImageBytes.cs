namespace Shared.Storage;

/// <summary>
/// The arrays that images of disks are made of, used again: as large as they are, each new one would come from fresh
/// pages of the system. Of one thread.
/// </summary>
internal sealed class ImageBytes
{
    private const int KeptMax = 8;

    private readonly Dictionary<int, Stack<byte[]>> _idle = [];

    /// <summary>A copy of an array, as long or longer; what is behind is zero.</summary>
    internal byte[] Copy(ReadOnlySpan<byte> bytes, int length)
    {
        byte[] copy = _idle.TryGetValue(length, out Stack<byte[]>? idle) && idle.TryPop(out byte[]? used)
            ? used
            : GC.AllocateUninitializedArray<byte>(length);
        bytes.CopyTo(copy);
        copy.AsSpan(bytes.Length).Clear();
        return copy;
    }

    /// <summary>Takes an array back that nobody looks at any more.</summary>
    internal void Return(byte[] bytes)
    {
        if (!_idle.TryGetValue(bytes.Length, out Stack<byte[]>? idle))
        {
            _idle.Add(bytes.Length, idle = new Stack<byte[]>());
        }

        if (idle.Count < KeptMax)
        {
            idle.Push(bytes);
        }
    }
}
