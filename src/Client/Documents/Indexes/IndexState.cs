namespace Raven.Client.Documents.Indexes;

/// <summary>Whether an index runs.</summary>
public enum IndexState
{
    /// <summary>It runs.</summary>
    Normal,

    /// <summary>It does not run; queries get what it has.</summary>
    Disabled,

    /// <summary>It runs, and has had no queries for some time.</summary>
    Idle,

    /// <summary>Too many documents failed: it does not run until it is reset.</summary>
    Error,
}
