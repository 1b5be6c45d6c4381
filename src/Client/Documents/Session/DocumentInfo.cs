using System.Text.Json;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session;

/// <summary>An entity that a session tracks, and the document it was read from or saved as.</summary>
internal sealed class DocumentInfo(string id, object entity)
{
    private JsonElement? _original;
    private ReadOnlyMemory<byte> _stored;
    private MetadataDictionary? _metadata;
    private string? _changeVector;

    /// <summary>The id. Until the save, an id that the server completes ends in a slash or a bar.</summary>
    internal string Id { get; set; } = id;

    internal object Entity => entity;

    /// <summary>The change vector of the document as it was read or saved; null for a new document.</summary>
    internal string? ChangeVector
    {
        get => _changeVector ??= IsNew ? null : DocumentHead.Of(_stored.Span).ChangeVector;
        set => _changeVector = value;
    }

    /// <summary>The change vector that the caller expects; null if it gave none.</summary>
    internal string? ExpectedChangeVector { get; set; }

    internal bool IgnoresChanges { get; set; }

    internal bool IsDeleted { get; set; }

    internal bool IsNew => _stored.IsEmpty;

    internal bool IsMetadataDirty => _metadata?.IsDirty == true;

    /// <summary>The document as it is on the server, as far as is known; empty for a new one.</summary>
    internal ReadOnlyMemory<byte> Stored => _stored;

    /// <summary>The document as it is on the server, parsed; undefined for a new document.</summary>
    internal JsonElement Original => IsNew ? default : _original ??= JsonFormats.Parse(_stored);

    internal MetadataDictionary Metadata => _metadata ??= new MetadataDictionary(OriginalMetadata);

    /// <summary>The metadata that was read by the caller and may have changed; null if it was not.</summary>
    internal MetadataDictionary? TouchedMetadata => _metadata;

    internal JsonElement? OriginalMetadata =>
        Original.ValueKind == JsonValueKind.Object && Original.TryGetProperty("@metadata", out JsonElement metadata)
            ? metadata
            : null;

    /// <summary>Sets the document as it is on the server, after it was read.</summary>
    internal void SetStored(ReadOnlyMemory<byte> document)
    {
        _stored = document;
        _original = null;
        _metadata = null;
        _changeVector = null;
    }

    /// <summary>Sets the document as it is on the server, after it was saved.</summary>
    internal void SetSaved(ReadOnlyMemory<byte> json, string changeVector)
    {
        _stored = json;
        _original = null;
        ChangeVector = changeVector;
        ExpectedChangeVector = null;
        _metadata?.SetSaved();
    }
}
