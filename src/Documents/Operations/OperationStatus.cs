namespace Raven.Documents.Operations;

/// <summary>The state of an operation; the names are what clients read.</summary>
public enum OperationStatus
{
    /// <summary>It runs, or its id was given out and it has not begun.</summary>
    InProgress = 0,

    /// <summary>The operation has succeeded.</summary>
    Completed = 1,

    /// <summary>The operation has failed.</summary>
    Faulted = 2,

    /// <summary>The operation was killed.</summary>
    Canceled = 3,
}
