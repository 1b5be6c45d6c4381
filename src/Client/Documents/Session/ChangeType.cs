namespace Raven.Client.Documents.Session;

/// <summary>What happened to a document, or to a part of it, since it was read.</summary>
public enum ChangeType
{
    /// <summary>The document will be deleted.</summary>
    DocumentDeleted,

    /// <summary>The document is new.</summary>
    DocumentAdded,

    /// <summary>A field has another value.</summary>
    FieldChanged,

    /// <summary>A field was added.</summary>
    NewField,

    /// <summary>A field was removed.</summary>
    RemovedField,

    /// <summary>An element of a list has another value.</summary>
    ArrayValueChanged,

    /// <summary>An element was added to a list.</summary>
    ArrayValueAdded,

    /// <summary>An element was removed from a list.</summary>
    ArrayValueRemoved,
}
