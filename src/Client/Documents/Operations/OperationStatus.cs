namespace Raven.Client.Documents.Operations;

/// <summary>Whether an operation runs, and how it ended.</summary>
public enum OperationStatus
{
    /// <summary>It runs.</summary>
    InProgress,

    /// <summary>It is done.</summary>
    Completed,

    /// <summary>It failed.</summary>
    Faulted,

    /// <summary>It was cancelled.</summary>
    Canceled,
}
