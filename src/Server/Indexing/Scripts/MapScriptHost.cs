using System.Text;
using Raven.Blittable.Memory;
using Raven.Scripting;
using Raven.Server.Documents;
using Raven.Server.Indexing.Maps;

namespace Raven.Server.Indexing.Scripts;

/// <summary>What a map in JavaScript may ask for: other documents.</summary>
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

    internal static ScriptDocument ToScript(in StoredDocument document) => new()
    {
        Id = Encoding.UTF8.GetString(document.Id.Span),
        Data = document.Data,
        ChangeVector = Encoding.UTF8.GetString(document.ChangeVector.Span),
        LastModified = new DateTimeOffset(document.LastModifiedTicks, TimeSpan.Zero),
    };
}
