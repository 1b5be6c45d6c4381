using System.Text;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Scripting;
using Raven.Server.Documents;
using Raven.Server.Documents.CompareExchange;
using Raven.Server.Documents.Counters;
using Raven.Server.Documents.Ids;

namespace Raven.Server.Queries.Results;

/// <summary>What the script of a projection may do: read the snapshot of the query, and include documents.</summary>
internal sealed class QueryScriptHost(QuerySession session, OperationContext context, DistinctIds includes)
    : ScriptHost
{
    /// <inheritdoc/>
    public override OperationContext Context => context;

    /// <inheritdoc/>
    public override bool TryLoad(string id, out ScriptDocument document)
    {
        bool isFound = session.Snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument stored);
        document = isFound ? QueryScript.ToScript(in stored) : null!;
        return isFound;
    }

    /// <inheritdoc/>
    public override bool TryGetCompareExchange(string key, out BlittableValue value)
    {
        value = default;
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(Encoding.UTF8.GetBytes(key), folded, out int length, out _)
            || !session.Snapshot.TryGetCompareExchange(folded[..length], out CompareExchangeValue stored))
        {
            return false;
        }

        return stored.Value.TryGet("Object"u8, out value);
    }

    /// <inheritdoc/>
    public override bool TryGetCounter(string documentId, string name, out double value)
    {
        Span<byte> id = stackalloc byte[DocumentId.SizeBytesMax];
        Span<byte> key = stackalloc byte[CounterKey.SizeBytesMax];
        value = 0;
        if (!DocumentId.TryFold(Encoding.UTF8.GetBytes(documentId), id, out int length, out _)
            || !CounterKey.TryWrite(key, id[..length], Encoding.UTF8.GetBytes(name), out int keyLength, out _)
            || !session.Snapshot.TryGetCounter(key[..keyLength], out StoredCounter counter))
        {
            return false;
        }

        value = counter.Value;
        return true;
    }

    /// <inheritdoc/>
    public override void Include(string id) => includes.Add(Encoding.UTF8.GetBytes(id));

    /// <inheritdoc/>
    public override void Output(string text)
    {
    }
}
