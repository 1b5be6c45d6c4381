using Raven.Storage.Checksums;

namespace Shared.Storage;

/// <summary>What a disk holds: files by name. The bytes may be shared between images; they are not changed.</summary>
internal sealed class DiskImage
{
    internal Dictionary<string, byte[]> Files { get; init; } = [];

    /// <summary>Two images with one fingerprint are taken for the same.</summary>
    internal ulong Fingerprint()
    {
        ulong hash = 0;
        foreach ((string name, byte[] content) in Files.OrderBy(file => file.Key, StringComparer.Ordinal))
        {
            hash = XxHash3.Hash(System.Text.Encoding.UTF8.GetBytes(name), hash);
            hash = XxHash3.Hash(content, hash);
        }

        return hash;
    }

    /// <summary>Another image of the same bytes, which stay those of both.</summary>
    internal DiskImage Share() => new() { Files = new Dictionary<string, byte[]>(Files) };

    internal DiskImage Copy() =>
        new() { Files = Files.ToDictionary(file => file.Key, file => (byte[])file.Value.Clone()) };
}
