namespace Raven.Cluster.Store;

/// <summary>A key in which a transaction leaves its name. One transaction at a time.</summary>
internal sealed class CertainMark(string key)
{
    /// <summary>How many bytes the name of a process has.</summary>
    internal const int NameBytes = 16;

    internal string Key { get; } = key;

    /// <summary>Its ModRevision; null if it has to be read.</summary>
    internal long? ModRevision { get; set; }
}
