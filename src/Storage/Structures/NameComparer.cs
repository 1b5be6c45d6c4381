using System.IO.Hashing;

namespace Raven.Storage.Structures;

/// <summary>Compares names as UTF-8 bytes, so that a span finds its entry without an allocation.</summary>
internal sealed class NameComparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    internal static NameComparer Instance { get; } = new();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(byte[] obj) => GetHashCode(obj.AsSpan());

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode(ReadOnlySpan<byte> alternate) => (int)XxHash3.HashToUInt64(alternate);
}
