using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Json;

namespace Raven.Documents.Patching;

/// <summary>
/// The result of a patch in a batch. It changes nothing by itself: the changes are puts, deletions and other parts.
/// </summary>
public sealed class PatchAction : BatchAction
{
    private readonly string _type;
    private readonly bool _returnsDocument;

    /// <summary>Makes a result.</summary>
    /// <param name="type">The type of the command, which the result repeats.</param>
    /// <param name="returnsDocument">Whether the result has the document, if it was changed.</param>
    public PatchAction(string type, bool returnsDocument)
    {
        _type = type;
        _returnsDocument = returnsDocument;
    }

    /// <summary>Whether the result has the document, changed or not.</summary>
    internal bool ReturnsDocument => _returnsDocument;

    /// <summary>How the patch ended.</summary>
    public PatchStatus Status { get; set; }

    /// <summary>The document before, for debugging.</summary>
    public PlannedDocument Original { get; set; }

    /// <summary>The stored document after it, if there is one and the result has it.</summary>
    internal NativeSlice Modified { get; set; }

    /// <summary>The debug output of the script, if it was asked for.</summary>
    public PatchDebug? Debug { get; set; }

    /// <summary>Adds a patch, whose script runs when the batch is planned, and whose result this is.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="patch">The patch.</param>
    /// <returns>False if its id is not valid: then the batch's failure says why.</returns>
    public bool TryAddTo(BatchCommand batch, in PatchRequest patch)
    {
        PatchRequest kept = patch;
        return batch.TryAddAction(
            kept.Id.Span, new ScriptAction(plan => ((PatchPlan)plan).TryPatch(in kept, this)), ExpectedVersion.Any);
    }

    /// <summary>Adds patches that are one command; only the first one has a result, as the command has one.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="type">The type of the command, which the result repeats.</param>
    /// <param name="patches">The patches, at least one.</param>
    /// <returns>False if the first id is not valid: then the batch's failure says why.</returns>
    public static bool TryAddAll(BatchCommand batch, string type, PatchRequest[] patches) => batch.TryAddAction(
        patches[0].Id.Span, new ScriptAction(plan => TryPatch((PatchPlan)plan, batch, type, patches)),
        ExpectedVersion.Any);

    private static bool TryPatch(PatchPlan plan, BatchCommand batch, string type, PatchRequest[] patches)
    {
        for (int i = 0; i < patches.Length; i++)
        {
            int first = batch.Count;
            if (!plan.TryPatch(in patches[i], new PatchAction(type, returnsDocument: false)))
            {
                return false;
            }

            int shown = i == 0 ? batch.Count - 1 : -1;
            for (int j = first; j < batch.Count; j++)
            {
                batch.Added(j).IsHidden = j != shown;
            }
        }

        return true;
    }

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
    }

    public override void WriteResult(ref JsonOutput json, in DocumentOperation operation)
    {
        json.Name("Type"u8);
        json.String(_type);
        json.Name("Id"u8);
        json.String(operation.Id.Span);
        json.Name("PatchStatus"u8);
        json.String(Status.ToString());
        json.Name("ChangeVector"u8);
        WriteText(ref json, operation.ChangeVector);
        json.Name("LastModified"u8);
        if (operation.LastModifiedTicks == 0)
        {
            json.Null();
        }
        else
        {
            DocumentJson.WriteDate(ref json, operation.LastModifiedTicks);
        }

        if (_returnsDocument)
        {
            json.Name("ModifiedDocument"u8);
            WriteModified(ref json, in operation);
        }
    }

    /// <summary>Writes the document with its metadata, or null.</summary>
    public void WriteModified(ref JsonOutput json, in DocumentOperation operation)
    {
        if (Modified.IsEmpty)
        {
            json.Null();
            return;
        }

        DocumentJson.Write(ref json, BlittableObject.Open(Modified), new DocumentSystemFields
        {
            Id = operation.Id.Span,
            ChangeVector = operation.ChangeVector.Span,
            Collection = operation.Collection.Span,
            LastModifiedTicks = operation.LastModifiedTicks,
            Flags = operation.Flags,
        });
    }

    private static void WriteText(ref JsonOutput json, NativeSlice text)
    {
        if (text.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.String(text.Span);
        }
    }
}
