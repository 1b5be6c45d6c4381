namespace Raven.Client.Exceptions;

/// <summary>
/// A write expected another version of a document than the one that is there: somebody changed it in between. Nothing
/// of the batch was written. Load the document anew, decide again, and save.
/// </summary>
public class ConcurrencyException(string message) : RavenException(message)
{
    /// <summary>The document; null where the server did not say.</summary>
    public string? Id { get; internal set; }

    /// <summary>The version that the write expected; empty where the document must not have existed.</summary>
    public string? ExpectedChangeVector { get; internal set; }

    /// <summary>The version that is there; null where there is no document.</summary>
    public string? ActualChangeVector { get; internal set; }
}
