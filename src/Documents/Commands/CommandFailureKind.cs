namespace Raven.Documents.Commands;

/// <summary>Why a command was not done.</summary>
public enum CommandFailureKind
{
    /// <summary>The command was executed: no failure.</summary>
    None,

    /// <summary>The id is not valid.</summary>
    BadId,

    /// <summary>The document's <c>@metadata</c> is not an object, or its <c>@collection</c> not a text.</summary>
    BadMetadata,

    /// <summary>The document is larger than the database takes.</summary>
    DocumentTooLarge,

    /// <summary>The version that is stored is not the one that was expected.</summary>
    Conflict,

    /// <summary>A number lies outside of its range.</summary>
    OutOfRange,

    /// <summary>The document that the command needs does not exist.</summary>
    DocumentMissing,

    /// <summary>The attachment that the command needs does not exist.</summary>
    AttachmentMissing,

    /// <summary>A script could not be parsed, threw, or passed a limit.</summary>
    ScriptFailed,

    /// <summary>What scripts of the batch read was changed meanwhile: they have to run again.</summary>
    ReadChanged,

    /// <summary>Another document has a value that only one may have: the failure says which.</summary>
    NotUnique,

    /// <summary>The document breaks the schema of its collection: the failure says where.</summary>
    Invalid,

    /// <summary>It cannot be done; the failure's detail says why.</summary>
    Refused,
}
