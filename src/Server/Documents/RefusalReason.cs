namespace Raven.Server.Documents;

/// <summary>Why something was refused.</summary>
internal enum RefusalReason
{
    /// <summary>An argument is missing, or not of the form that it must have.</summary>
    Argument,

    /// <summary>The query asks for what a query cannot have.</summary>
    InvalidQuery,

    /// <summary>There is no index of the name.</summary>
    IndexMissing,

    /// <summary>The index is there and cannot be read.</summary>
    IndexUnreadable,

    /// <summary>There is no sorter of the name.</summary>
    SorterMissing,

    /// <summary>A script does not compile, threw, or passed a limit.</summary>
    Script,

    /// <summary>The index was not up to date in time.</summary>
    Stale,
}
