namespace Raven.Client.Documents.Queries;

/// <summary>The source of the fields of a projection.</summary>
public enum ProjectionBehavior
{
    /// <summary>From the index if it stores them, otherwise from the document.</summary>
    Default,

    /// <summary>From the index; null if it does not store them.</summary>
    FromIndex,

    /// <summary>From the index; an error if it does not store them.</summary>
    FromIndexOrThrow,

    /// <summary>From the document; null if it does not have them.</summary>
    FromDocument,

    /// <summary>From the document; an error if it does not have them.</summary>
    FromDocumentOrThrow,
}
