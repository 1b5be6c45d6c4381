namespace Raven.Documents.Revisions;

/// <summary>What is done to all documents that have revisions.</summary>
public enum RevisionSweepKind
{
    /// <summary>Revisions that the configuration does not keep are deleted.</summary>
    Enforce,

    /// <summary>Documents get the version back that they had at a time.</summary>
    Revert,
}
