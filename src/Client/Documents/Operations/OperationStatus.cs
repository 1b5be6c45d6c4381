namespace Raven.Client.Documents.Operations;

/// <summary>How far an operation is.</summary>
public enum OperationStatus
{
    /// <summary>It runs.</summary>
    InProgress,

    /// <summary>It is done.</summary>
    Completed,

    /// <summary>It failed.</summary>
    Faulted,

    /// <summary>It was ended.</summary>
    Canceled,
}
