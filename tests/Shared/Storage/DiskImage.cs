using System.IO.Hashing;

namespace Shared.Storage;

/// <summary>
/// What a disk holds: files by name. The bytes may be shared between images: code that changes them restores them
/// before other code reads them.
/// </summary>
internal sealed class DiskImage : IDisposable
{
    internal Dictionary<string, FileBytes> Files { get; init; } = [];

    /// <summary>Two images with one fingerprint are taken for the same.</summary>
    internal ulong Fingerprint()
    {
        ulong hash = 0;
        foreach ((string name, FileBytes content) in Files.OrderBy(file => file.Key, StringComparer.Ordinal))
        {
            hash = XxHash3.HashToUInt64(System.Text.Encoding.UTF8.GetBytes(name), (long)hash);
            hash = XxHash3.HashToUInt64(content.Span, (long)hash);
        }

        return hash;
    }

    /// <summary>Another image of the same bytes, which stay those of both.</summary>
    internal DiskImage Share() => new() { Files = new Dictionary<string, FileBytes>(Files) };

    /// <summary>The bytes are no longer used by any image.</summary>
    public void Dispose()
    {
        foreach (FileBytes file in Files.Values)
        {
            file.Dispose();
        }
    }

    internal DiskImage Copy() =>
        new() { Files = Files.ToDictionary(file => file.Key, file => new FileBytes(file.Value.Span)) };
}
