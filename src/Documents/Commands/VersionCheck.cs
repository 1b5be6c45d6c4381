namespace Raven.Documents.Commands;

/// <summary>What a command expects to find under its id.</summary>
public enum VersionCheck
{
    /// <summary>No check.</summary>
    None,

    /// <summary>No document.</summary>
    MustNotExist,

    /// <summary>A document with this very change vector.</summary>
    MustEqual,
}
