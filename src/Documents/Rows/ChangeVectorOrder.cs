namespace Raven.Documents.Rows;

/// <summary>How one version of a document stands to another.</summary>
internal enum ChangeVectorOrder
{
    /// <summary>The same version.</summary>
    Equal,

    /// <summary>The left one is an ancestor of the right one.</summary>
    Before,

    /// <summary>The left one was made with the right one known.</summary>
    After,

    /// <summary>Each knows a change that the other does not: written apart, on two databases.</summary>
    Conflict,
}
