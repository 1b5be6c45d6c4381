using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Writing;
using Raven.Documents.Commands;
using Raven.Documents.CompareExchange;

namespace Raven.Server.Http;

/// <summary>
/// A batch with <c>TransactionMode: ClusterWide</c>. With a single node every transaction is one of the cluster; such a
/// batch also writes each document only over the version that the session began with, and guards it by a
/// compare-exchange value <c>rvn-atomic/{id}</c> from sessions that never read it.
/// </summary>
internal static class ClusterTransaction
{
    private static ReadOnlySpan<byte> GuardPrefix => "rvn-atomic/"u8;

    /// <summary>Adds the version checks and guards to a batch.</summary>
    /// <exception cref="BadRequestException">It has a command that such a transaction does not allow.</exception>
    internal static void Prepare(RequestContext request, BatchCommand batch)
    {
        if (batch.HasScripts)
        {
            throw Unfit("scripts");
        }

        bool isGuarded = !request.Query.GetBool("disableAtomicDocumentWrites");
        int count = batch.Count;
        for (int i = 0; i < count; i++)
        {
            ref DocumentOperation operation = ref batch.Added(i);
            if (operation.Kind == DocumentOperationKind.Action)
            {
                if (operation.Action is not CompareExchangeAction)
                {
                    throw Unfit("anything but PUT, DELETE, CompareExchangePUT and CompareExchangeDELETE");
                }

                if (operation.Key.Span.StartsWith(GuardPrefix))
                {
                    string guard = Encoding.UTF8.GetString(operation.Id.Span);
                    throw new BadRequestException(
                        400, ErrorType.InvalidOperation,
                        $"You cannot manipulate the atomic guard '{guard}' via the cluster-wide session");
                }
            }
            else if (isGuarded && !TryGuard(batch, ref operation))
            {
                return;
            }
        }
    }

    private static bool TryGuard(BatchCommand batch, ref DocumentOperation operation)
    {
        bool knows = !operation.Original.IsEmpty || operation.Check != VersionCheck.None;
        if (operation.Check == VersionCheck.None && !operation.Original.IsEmpty)
        {
            batch.Expect(ref operation, operation.Original);
        }

        NativeSlice id = operation.Id;
        NativeSlice documentKey = operation.Key;
        if (documentKey.IsEmpty || GuardPrefix.Length + id.Length > Documents.Ids.DocumentId.SizeBytesMax)
        {
            // No session can have read a document whose id the server makes.
            return true;
        }

        bool isPut = operation.Kind == DocumentOperationKind.Put;
        var guard = new AtomicGuardAction(documentKey, isPut ? ValueOf(batch, id) : default, knows);
        byte[] key = [.. GuardPrefix, .. id.Span];
        bool isAdded = batch.TryAddAction(key, guard, ExpectedVersion.Any);
        if (isAdded)
        {
            batch.Added(batch.Count - 1).IsHidden = true;
        }

        return isAdded;
    }

    private static NativeSlice ValueOf(BatchCommand batch, NativeSlice id)
    {
        BlittableWriter writer = batch.Context.Writer;
        writer.Begin(BlittableMode.ToDisk);
        writer.StartObject();
        writer.Name("Object"u8);
        writer.StartObject();
        writer.Name("Id"u8);
        writer.String(id.Span);
        writer.EndObject();
        writer.EndObject();
        return writer.Finish().Memory;
    }

    private static BadRequestException Unfit(string what) => new(
        400, ErrorType.NotSupported, $"A transaction with TransactionMode ClusterWide cannot hold {what}.");
}
