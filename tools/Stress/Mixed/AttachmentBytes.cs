using System.Buffers.Binary;

namespace Raven.Tools.Stress.Mixed;

/// <summary>
/// What an attachment of a given name and version holds: a function of the two, most of them short, some longer than
/// what the server stores at once.
/// </summary>
internal static class AttachmentBytes
{
    private const int ShortLengthMax = 6_000;
    private const int LongLengthMin = 60_000;
    private const int LongLengthMax = 300_000;

    internal static byte[] Create(string id, string name, long version)
    {
        // Own arithmetic: string.GetHashCode changes from process to process.
        ulong hash = 14695981039346656037 ^ (ulong)version;
        foreach (char letter in id + ' ' + name)
        {
            hash = (hash ^ letter) * 1099511628211;
        }

        var random = new Random((int)(hash ^ (hash >> 32)));
        int length = random.Next(8) == 0 ? random.Next(LongLengthMin, LongLengthMax) : random.Next(8, ShortLengthMax);
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        BinaryPrimitives.WriteInt64LittleEndian(bytes, version);
        return bytes;
    }

    /// <summary>The version of stored bytes, or <see cref="Ledger.Broken"/> if they are not whole.</summary>
    internal static long VersionOf(string id, string name, ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < sizeof(long))
        {
            return Ledger.Broken;
        }

        long version = BinaryPrimitives.ReadInt64LittleEndian(bytes);
        return bytes.SequenceEqual(Create(id, name, version)) ? version : Ledger.Broken;
    }
}
