namespace Raven.Documents.Indexing.Extensions;

/// <summary>The errors of an analyzer or a sorter.</summary>
public enum ExtensionProblem
{
    /// <summary>It cannot be compiled.</summary>
    Code,

    /// <summary>It threw when it was used.</summary>
    Failed,

    /// <summary>An index uses it.</summary>
    InUse,
}
