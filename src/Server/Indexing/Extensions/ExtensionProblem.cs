namespace Raven.Server.Indexing.Extensions;

/// <summary>What can be wrong with an analyzer or a sorter.</summary>
internal enum ExtensionProblem
{
    /// <summary>It cannot be compiled.</summary>
    Code,

    /// <summary>It threw when it was used.</summary>
    Failed,

    /// <summary>Something needs it.</summary>
    InUse,
}
