namespace Raven.Client.Documents.Session;

/// <summary>What happened to a document, or to a part of it, since it was read.</summary>
public enum ChangeType
{
    /// <summary>The document will be deleted.</summary>
    DocumentDeleted,

    /// <summary>The document is new.</summary>
    DocumentAdded,

    /// <summary>A value became another.</summary>
    FieldChanged,

    /// <summary>A field is there that was not.</summary>
    NewField,

    /// <summary>A field is gone.</summary>
    RemovedField,

    /// <summary>An element of a list became another.</summary>
    ArrayValueChanged,

    /// <summary>A list got an element.</summary>
    ArrayValueAdded,

    /// <summary>A list lost an element.</summary>
    ArrayValueRemoved,
}
