using System.Runtime.InteropServices;

namespace Raven.Storage.Streams;

/// <summary>What the tree of names holds for a stream. Little-endian.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct StreamInfo
{
    /// <summary>The number that its chunks are found by.</summary>
    internal long Number;

    /// <summary>The length of the stream in bytes.</summary>
    internal long Length;

    internal long Chunks;
}
