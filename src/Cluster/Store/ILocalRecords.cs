namespace Raven.Cluster.Store;

/// <summary>Where the store of a single server keeps its keys: small records in the server's own storage.</summary>
public interface ILocalRecords
{
    /// <summary>The longest key of a record.</summary>
    int KeyBytesMax { get; }

    /// <summary>All records whose keys begin with a prefix, in the order of their keys.</summary>
    /// <param name="prefix">ASCII.</param>
    IReadOnlyList<KeyValuePair<string, byte[]>> Read(string prefix);

    /// <summary>Writes records in one transaction, which is durable when this returns; one without a value is
    /// removed.</summary>
    /// <param name="records">The records.</param>
    /// <exception cref="IOException">The disk refused.</exception>
    void Write(IReadOnlyCollection<KeyValuePair<string, byte[]?>> records);
}
