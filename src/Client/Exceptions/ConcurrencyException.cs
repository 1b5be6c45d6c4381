namespace Raven.Client.Exceptions;

/// <summary>
/// A write expected a version of a document that is not the current one: the document was changed in between. Nothing
/// of the batch was written. Load the document again, decide again, and save.
/// </summary>
public class ConcurrencyException(string message) : RavenException(message)
{
    /// <summary>The document; null if the server did not name it.</summary>
    public string? Id { get; internal set; }

    /// <summary>The change vector that the write expected; empty if the document had to be new.</summary>
    public string? ExpectedChangeVector { get; internal set; }

    /// <summary>The current change vector; null if there is no document.</summary>
    public string? ActualChangeVector { get; internal set; }
}
