namespace Raven.Client.Documents.Queries;

/// <summary>Where the fields of a projection come from.</summary>
public enum ProjectionBehavior
{
    /// <summary>From the index where it stores them, else from the document.</summary>
    Default,

    /// <summary>From the index; null where it does not store them.</summary>
    FromIndex,

    /// <summary>From the index; an error where it does not store them.</summary>
    FromIndexOrThrow,

    /// <summary>From the document; null where it does not have them.</summary>
    FromDocument,

    /// <summary>From the document; an error where it does not have them.</summary>
    FromDocumentOrThrow,
}
