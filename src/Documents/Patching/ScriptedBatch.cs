using Raven.Documents.Commands;

namespace Raven.Documents.Patching;

/// <summary>Submits a batch with scripts to the database (SCRIPT-1 to SCRIPT-3).</summary>
internal static class ScriptedBatch
{
    /// <summary>How often scripts run beside the merger before they run in it.</summary>
    internal const int ConflictsMax = 3;

    /// <summary>Plans the batch and submits it, until what its scripts read did not change meanwhile.</summary>
    /// <param name="database">Where it goes.</param>
    /// <param name="scripts">Engine and limits.</param>
    /// <param name="hashSeed">Any number that clients do not know.</param>
    /// <param name="batch">The batch, with the places of its scripts.</param>
    /// <param name="cancellation">Ends its scripts.</param>
    internal static async ValueTask SubmitAsync(
        Database database, ScriptEnvironment scripts, ulong hashSeed, BatchCommand batch,
        CancellationToken cancellation)
    {
        var plan = new PatchPlan(batch, scripts, hashSeed, cancellation);
        batch.Script = plan;
        for (int conflicts = 0; conflicts < ConflictsMax; conflicts++)
        {
            if (!await TryPlanAsync(database, scripts, batch, plan, cancellation).ConfigureAwait(false))
            {
                return;
            }

            await database.SubmitAsync(batch).ConfigureAwait(false);
            if (batch.Failure.Kind != CommandFailureKind.ReadChanged)
            {
                return;
            }

            scripts.CountConflict();
        }

        plan.RunsInside = true;
        plan.Tier = ScriptTier.Long;
        await database.SubmitAsync(batch).ConfigureAwait(false);
    }

    /// <summary>Runs the scripts of a batch against a snapshot of now, without writing anything.</summary>
    /// <returns>False where one fails: the batch's failure says why.</returns>
    internal static ValueTask<bool> TryPlanAsync(
        Database database, ScriptEnvironment scripts, ulong hashSeed, BatchCommand batch,
        CancellationToken cancellation) => TryPlanAsync(
            database, scripts, batch, new PatchPlan(batch, scripts, hashSeed, cancellation), cancellation);

    private static ValueTask<bool> TryPlanAsync(
        Database database, ScriptEnvironment scripts, BatchCommand batch, PatchPlan plan,
        CancellationToken cancellation)
    {
        // Scripts that took long once stay with the threads for long scripts.
        return plan.Tier == ScriptTier.Short && TryPlan(database, batch, plan, ScriptTier.Short) is { } isPlanned
            ? new ValueTask<bool>(isPlanned)
            : new ValueTask<bool>(scripts.Threads.RunAsync(
                tier => TryPlan(database, batch, plan, tier), cancellation));
    }

    /// <summary>Runs the scripts; null if they need another tier.</summary>
    private static bool? TryPlan(Database database, BatchCommand batch, PatchPlan plan, ScriptTier tier)
    {
        plan.Tier = tier;
        using DocumentSnapshot snapshot = database.BeginRead("scripts of a batch");
        bool isPlanned = plan.TryPlan(batch, snapshot);
        return plan.IsAbandoned ? null : isPlanned;
    }
}
