using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.CompareExchange;

/// <summary>
/// Keeps the guard of a document that a transaction of the cluster writes. A session that does not know the document's
/// version may write it only if it has no guard, so that two sessions never create one document.
/// </summary>
/// <param name="documentKey">The folded id of the document.</param>
/// <param name="value">The stored form of the guard; empty if the document is deleted.</param>
/// <param name="knowsVersion">True if the document's version is checked by its own operation.</param>
public sealed class AtomicGuardAction(NativeSlice documentKey, NativeSlice value, bool knowsVersion) : BatchAction
{
    internal override OperationTrace TraceAfter(OperationTrace before) => before;

    internal override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena arena,
        out CommandFailure failure)
    {
        failure = default;
        if (knowsVersion || !writer.Tables.Exists(documentKey.Span)
            || !writer.CompareExchange.TryFind(operation.Key.Span, out CompareExchangeValue guard))
        {
            return true;
        }

        string id = System.Text.Encoding.UTF8.GetString(operation.Id.Span);
        failure = new CommandFailure
        {
            Kind = CommandFailureKind.Conflict,
            Id = operation.Id,
            Detail = $"The guard '{id}' has index {guard.Index}, but the session never loaded its document.",
        };
        return false;
    }

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        if (value.IsEmpty)
        {
            writer.CompareExchange.Remove(operation.Key.Span, writer.Tables);
        }
        else
        {
            writer.CompareExchange.Put(
                operation.Key.Span, operation.Id.Span, writer.Tables.NextEtag(), value.Span);
        }
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
    }
}
