namespace Raven.Documents.Commands;

/// <summary>What the operations so far of a batch did to a document.</summary>
internal enum OperationTrace
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>The document was put.</summary>
    Written = 1,

    /// <summary>The document was deleted.</summary>
    Deleted = 2,
}
