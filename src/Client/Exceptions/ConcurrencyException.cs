namespace Raven.Client.Exceptions;

/// <summary>
/// A write expected another version of a document than the current one: it was changed in between. Nothing of the batch
/// was written. Load the document again, decide again, and save.
/// </summary>
public class ConcurrencyException(string message) : RavenException(message)
{
    /// <summary>The document; null if the server did not name it.</summary>
    public string? Id { get; internal set; }

    /// <summary>The version that the write expected; empty if the document must not have existed.</summary>
    public string? ExpectedChangeVector { get; internal set; }

    /// <summary>The version that is there; null if there is no document.</summary>
    public string? ActualChangeVector { get; internal set; }
}
