using Raven.Blittable.Memory;
using Raven.Documents.Commands;

namespace Raven.Documents.Patching;

/// <summary>
/// The result of a patch in a batch. It changes nothing by itself: the changes are puts, deletions and other parts.
/// </summary>
public sealed class PatchAction : BatchAction
{
    /// <summary>Makes a result.</summary>
    /// <param name="type">The type of the command, which the result repeats.</param>
    /// <param name="returnsDocument">Whether the result has the document, if it was changed.</param>
    public PatchAction(string type, bool returnsDocument)
    {
        Type = type;
        ReturnsDocument = returnsDocument;
    }

    /// <summary>The type of the command, which the result repeats.</summary>
    public string Type { get; }

    /// <summary>Whether the result has the document, changed or not.</summary>
    public bool ReturnsDocument { get; }

    /// <summary>How the patch ended.</summary>
    public PatchStatus Status { get; set; }

    /// <summary>The document before, for debugging.</summary>
    public PlannedDocument Original { get; set; }

    /// <summary>The stored document after it, if there is one and the result has it.</summary>
    public NativeSlice Modified { get; internal set; }

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
}
