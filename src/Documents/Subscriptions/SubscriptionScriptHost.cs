using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Ids;
using Raven.Documents.Queries.Results;
using Raven.Documents.Rows;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Subscriptions;

/// <summary>The functions for the script of a subscription: read the snapshot, and have documents sent along.</summary>
/// <param name="snapshot">What it reads.</param>
/// <param name="context">Memory that lives as long as the run.</param>
/// <param name="includes">Takes the ids of documents that are sent along.</param>
internal sealed class SubscriptionScriptHost(
    DocumentSnapshot snapshot, OperationContext context, DistinctIds includes) : ScriptHost
{
    /// <inheritdoc/>
    public override OperationContext Context => context;

    /// <inheritdoc/>
    public override bool TryLoad(string id, out ScriptDocument document)
    {
        bool isFound = snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument stored);
        document = isFound ? QueryScript.ToScript(in stored) : null!;
        return isFound;
    }

    /// <inheritdoc/>
    public override bool TryGetCompareExchange(string key, out BlittableValue value)
    {
        value = default;
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        return DocumentId.TryFold(Encoding.UTF8.GetBytes(key), folded, out int length, out _)
            && snapshot.TryGetCompareExchange(folded[..length], out CompareExchangeValue stored)
            && stored.Value.TryGet("Object"u8, out value);
    }

    /// <inheritdoc/>
    public override bool TryGetCounter(string documentId, string name, out long value)
    {
        bool isFound = CounterValues.TryGet(
            snapshot, Encoding.UTF8.GetBytes(documentId), name, out StoredCounter counter);
        value = isFound ? counter.Value : 0;
        return isFound;
    }

    /// <inheritdoc/>
    public override bool TryGetRawCounter(string documentId, string name, out string node, out long value)
    {
        bool isFound = CounterValues.TryGet(
            snapshot, Encoding.UTF8.GetBytes(documentId), name, out StoredCounter counter);
        node = isFound ? Encoding.UTF8.GetString(CounterValues.DatabaseOf(counter.ChangeVector.Span)) : "";
        value = isFound ? counter.Value : 0;
        return isFound;
    }

    /// <inheritdoc/>
    public override void Include(string id) => includes.Add(Encoding.UTF8.GetBytes(id));

    /// <inheritdoc/>
    public override void Output(string text)
    {
    }
}
