namespace Raven.Storage.Options;

/// <summary>What a commit waits for.</summary>
public enum StorageDurability
{
    /// <summary>A commit returns when its journal record is on the medium.</summary>
    Durable,

    /// <summary>
    /// A commit returns when its record is with the operating system: a power cut may lose the last transactions, whole
    /// ones from the end only. For data that can be rebuilt, such as an index.
    /// </summary>
    Lazy,
}
