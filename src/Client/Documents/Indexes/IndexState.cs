namespace Raven.Client.Documents.Indexes;

/// <summary>What an index does.</summary>
public enum IndexState
{
    /// <summary>It runs.</summary>
    Normal,

    /// <summary>It stands still and answers what it has.</summary>
    Disabled,

    /// <summary>It runs, and nobody asks it.</summary>
    Idle,

    /// <summary>Too many documents failed: it stands still until it is reset.</summary>
    Error,
}
