using System.Text;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Indexing.Scripts;

/// <summary>What a map in JavaScript may read: other documents, what belongs to a document, and
/// compare-exchange values.</summary>
internal sealed class MapScriptHost : ScriptHost
{
    private DocumentSnapshot? _snapshot;
    private MapSink? _sink;

    public override OperationContext Context =>
        _sink?.Context ?? throw new InvalidOperationException("No document is being mapped.");

    internal void Begin(DocumentSnapshot snapshot, MapSink sink)
    {
        _snapshot = snapshot;
        _sink = sink;
    }

    public override bool TryLoad(string id, out ScriptDocument document)
    {
        document = null!;
        if (_snapshot is null || _sink is null)
        {
            throw new ScriptHostException("'load' is not available before a document is mapped");
        }

        byte[] utf8 = Encoding.UTF8.GetBytes(id);
        _sink.AddReference(utf8, string.Empty);
        if (!_snapshot.TryGet(utf8, out StoredDocument found))
        {
            return false;
        }

        document = ToScript(found);
        return true;
    }

    /// <inheritdoc/>
    public override bool TryGetCompareExchange(string key, out BlittableValue value)
    {
        value = default;
        return _snapshot is null || _sink is null
            ? throw new ScriptHostException("'cmpxchg' is not available before a document is mapped")
            : LinkedValues.TryReadValue(_snapshot, _sink, key, out value);
    }

    /// <inheritdoc/>
    public override BlittableValue GetCounterNames(string documentId) => ToList(
        TryFind(documentId, out StoredDocument found) ? LinkedValues.CounterNames(in found) : []);

    /// <inheritdoc/>
    public override BlittableValue GetAttachments(string documentId) => ToList(
        TryFind(documentId, out StoredDocument found) ? LinkedValues.Attachments(in found) : []);

    /// <inheritdoc/>
    public override string? GetAttachmentText(string documentId, string name, Encoding encoding)
    {
        try
        {
            return TryFind(documentId, out StoredDocument found)
                ? LinkedValues.ContentOf(in found, name, encoding) : null;
        }
        catch (InvalidOperationException wrong)
        {
            throw new ScriptHostException(wrong.Message);
        }
    }

    /// <summary>Makes an object that a script may get.</summary>
    internal BlittableValue ToStored<T>(T source)
    {
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(source);
        return Context.Parser.TryParse(json, BlittableMode.ToMemory, out BlittableObject parsed, out _)
            ? parsed.AsValue()
            : default;
    }

    private bool TryFind(string id, out StoredDocument document)
    {
        document = default;
        return _snapshot is not null && _snapshot.TryGet(Encoding.UTF8.GetBytes(id), out document);
    }

    private BlittableValue ToList<T>(List<T> items) =>
        ToStored(new { Items = items }).TryGetObject(out BlittableObject parsed)
            && parsed.TryGet("Items"u8, out BlittableValue list)
            ? list
            : default;

    internal static ScriptDocument ToScript(in StoredDocument document) => new()
    {
        Id = Encoding.UTF8.GetString(document.Id.Span),
        Data = document.Data,
        ChangeVector = Encoding.UTF8.GetString(document.ChangeVector.Span),
        LastModified = new DateTimeOffset(document.LastModifiedTicks, TimeSpan.Zero),
    };
}
