using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Server.Http.Commands;

/// <summary>
/// One command as it stood in a body. Its texts and its document live in the context it was read into.
/// </summary>
internal struct ScannedCommand
{
    /// <summary>What to do.</summary>
    internal CommandKind Kind;

    /// <summary>The type as it was written, where it is not one that is served.</summary>
    internal string? TypeName;

    /// <summary>The id, UTF-8; empty where it was empty or null.</summary>
    internal NativeSlice Id;

    /// <summary>True where an id was named and is not null.</summary>
    internal bool HasId;

    /// <summary>The change vector, UTF-8; empty means that the document must not exist.</summary>
    internal NativeSlice ChangeVector;

    /// <summary>True where a change vector was named and is not null: it is to be checked.</summary>
    internal bool HasChangeVector;

    /// <summary>The document, ready to be stored.</summary>
    internal BlittableObject Document;

    /// <summary>True where there is a document.</summary>
    internal bool HasDocument;
}
