using Raven.Server.Documents;
using Raven.Server.Documents.Commands;
using Raven.Server.Http;

namespace Raven.Server.Patching;

/// <summary>Brings a batch with scripts into the database (SCRIPT-1 to SCRIPT-3).</summary>
internal static class ScriptedBatch
{
    /// <summary>How often scripts run beside the merger before they run in it.</summary>
    internal const int ConflictsMax = 3;

    /// <summary>Plans the batch and submits it, until what its scripts read did not change meanwhile.</summary>
    internal static async ValueTask SubmitAsync(RequestContext request, BatchCommand batch)
    {
        var plan = new PatchPlan(batch, request.Server.Scripts, request.Server.HashSeed, request.Aborted);
        batch.Script = plan;
        for (int conflicts = 0; conflicts < ConflictsMax; conflicts++)
        {
            if (!await TryPlanAsync(request, batch, plan).ConfigureAwait(false))
            {
                return;
            }

            await request.Database.SubmitAsync(batch).ConfigureAwait(false);
            if (batch.Failure.Kind != CommandFailureKind.ReadChanged)
            {
                return;
            }

            request.Server.Scripts.CountConflict();
        }

        plan.RunsInside = true;
        await request.Database.SubmitAsync(batch).ConfigureAwait(false);
    }

    /// <summary>Runs the scripts against a snapshot of now, without writing anything.</summary>
    /// <returns>False where one fails: the batch's failure says why.</returns>
    internal static ValueTask<bool> TryPlanAsync(RequestContext request, BatchCommand batch) => TryPlanAsync(
        request, batch, new PatchPlan(batch, request.Server.Scripts, request.Server.HashSeed, request.Aborted));

    private static async ValueTask<bool> TryPlanAsync(RequestContext request, BatchCommand batch, PatchPlan plan)
    {
        SemaphoreSlim gate = request.Server.Scripts.Gate;
        await gate.WaitAsync(request.Aborted).ConfigureAwait(false);
        try
        {
            using DocumentSnapshot snapshot = request.Database.BeginRead();
            return plan.TryPlan(batch, snapshot);
        }
        finally
        {
            gate.Release();
        }
    }
}
