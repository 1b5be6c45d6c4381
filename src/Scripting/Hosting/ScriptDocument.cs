using Raven.Blittable.Reading;

namespace Raven.Scripting.Hosting;

/// <summary>A stored document that a host passes to a script. Its memory must stay valid for the run.</summary>
public sealed class ScriptDocument
{
    /// <summary>The document's id; null if it has none yet.</summary>
    public string? Id { get; init; }

    /// <summary>The document.</summary>
    public required BlittableObject Data { get; init; }

    /// <summary>The change vector, seen as <c>getMetadata(doc)['@change-vector']</c>.</summary>
    public string? ChangeVector { get; init; }

    /// <summary>When it was last written; null if that is not known.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>
    /// Returns the rest of the metadata as a JSON object: <c>@flags</c>, <c>@attachments</c>, <c>@counters</c>. Called
    /// when a script reads it; null if there is nothing.
    /// </summary>
    public Func<string>? Linked { get; init; }
}
