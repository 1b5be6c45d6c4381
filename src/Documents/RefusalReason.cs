namespace Raven.Documents;

/// <summary>Why a request was refused.</summary>
public enum RefusalReason
{
    /// <summary>An argument is missing, or not of the form that it must have.</summary>
    Argument,

    /// <summary>The query is not valid.</summary>
    InvalidQuery,

    /// <summary>There is no index of that name.</summary>
    IndexMissing,

    /// <summary>The index exists and cannot be read.</summary>
    IndexUnreadable,

    /// <summary>There is no sorter of that name.</summary>
    SorterMissing,

    /// <summary>A script does not compile, threw, or passed a limit.</summary>
    Script,

    /// <summary>The index was not up to date in time.</summary>
    Stale,
}
