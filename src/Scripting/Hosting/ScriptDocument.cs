using Raven.Blittable.Reading;

namespace Raven.Scripting.Hosting;

/// <summary>A stored document that a host hands to a script. Its memory must stay valid for the run.</summary>
public sealed class ScriptDocument
{
    /// <summary>The document's id; null where it has none yet.</summary>
    public string? Id { get; init; }

    /// <summary>The document.</summary>
    public required BlittableObject Data { get; init; }

    /// <summary>The change vector, seen as <c>getMetadata(doc)['@change-vector']</c>.</summary>
    public string? ChangeVector { get; init; }

    /// <summary>When it was last written; null where that is not known.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>Gives what the metadata has besides, as a JSON object: <c>@flags</c>, <c>@attachments</c>,
    /// <c>@counters</c>. Called when a script looks for it; null where there is nothing.</summary>
    public Func<string>? Linked { get; init; }
}
