namespace Raven.Documents.Commands;

/// <summary>What an operation of a batch does.</summary>
public enum DocumentOperationKind
{
    /// <summary>Creates or replaces a document.</summary>
    Put,

    /// <summary>Deletes a document.</summary>
    Delete,

    /// <summary>What its <see cref="BatchAction"/> does.</summary>
    Action,

    /// <summary>Nothing; it only has a result, such as that of a patch that found nothing to change.</summary>
    None,
}
