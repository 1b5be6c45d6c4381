using Raven.Cluster.Store;

namespace FastTests.Cluster;

/// <summary>Records in memory, which refuse writes when a test says so.</summary>
internal sealed class MemoryRecords : ILocalRecords
{
    private readonly SortedDictionary<string, byte[]> _records = new(StringComparer.Ordinal);

    /// <summary>What the next writes throw; null for none.</summary>
    internal Exception? Failure { get; set; }

    public int KeyBytesMax => 256;

    public IReadOnlyList<KeyValuePair<string, byte[]>> Read(string prefix) =>
        [.. _records.Where(each => each.Key.StartsWith(prefix, StringComparison.Ordinal))];

    public void Write(IReadOnlyCollection<KeyValuePair<string, byte[]?>> records)
    {
        if (Failure is { } failure)
        {
            throw failure;
        }

        foreach ((string key, byte[]? value) in records)
        {
            if (value is null)
            {
                _records.Remove(key);
            }
            else
            {
                _records[key] = value;
            }
        }
    }
}
