namespace Raven.Documents.Indexing.Extensions;

/// <summary>The errors of an analyzer or a sorter.</summary>
public enum ExtensionProblem
{
    /// <summary>The code cannot be compiled.</summary>
    Code,

    /// <summary>The code threw when it was used.</summary>
    Failed,

    /// <summary>An index uses the analyzer or sorter, so that it cannot be deleted.</summary>
    InUse,
}
