using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Documents.Commands;
using Raven.Documents.Patching;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Queries;

/// <summary>What the queries and changes of all databases of a process share: memory and scripts. Any thread.</summary>
public sealed class QueryServices
{
    /// <summary>Makes what queries share; its scripts have threads of their own.</summary>
    /// <param name="clock">The clock; null for the system's.</param>
    /// <param name="limits">What one call of a script may use; null for the defaults.</param>
    public QueryServices(TimeProvider? clock = null, ScriptLimits? limits = null)
    {
        Clock = clock ?? TimeProvider.System;
        Scripts = new ScriptEnvironment(Clock, limits ?? new ScriptLimits());
    }

    internal TimeProvider Clock { get; }

    /// <summary>Runs the scripts.</summary>
    internal ScriptEnvironment Scripts { get; }

    /// <summary>Seeds hashes over what clients send, so that none can prepare collisions.</summary>
    public required ulong HashSeed { get; init; }

    /// <summary>The memory.</summary>
    public required OperationContextPool Contexts { get; init; }

    /// <summary>What is parsed into a context that is rented.</summary>
    public JsonLimits JsonLimits { get; init; } = new();

    /// <summary>How many bytes a context that is rented may take.</summary>
    public long ContextSizeBytesMax { get; init; } = long.MaxValue;

    /// <summary>The longest document that a change may make, as JSON.</summary>
    public int DocumentSizeBytesMax { get; init; } = int.MaxValue;

    /// <summary>Does work with scripts on one of their threads.</summary>
    /// <param name="work">The work.</param>
    /// <param name="cancellation">Ends the wait for a thread.</param>
    /// <returns>What the work returns.</returns>
    public Task<bool> RunAsync(Func<bool> work, CancellationToken cancellation) =>
        Scripts.Threads.RunAsync(_ => work(), cancellation);

    /// <summary>Runs the scripts of a batch and submits it, until what they read did not change meanwhile.</summary>
    /// <param name="database">The database.</param>
    /// <param name="batch">The batch, whose failure says why it failed.</param>
    /// <param name="cancellation">Ends the scripts.</param>
    public ValueTask SubmitAsync(Database database, BatchCommand batch, CancellationToken cancellation) =>
        ScriptedBatch.SubmitAsync(database, Scripts, HashSeed, batch, cancellation);

    /// <summary>Runs the scripts of a batch against a snapshot of now, without writing anything.</summary>
    /// <param name="database">The database.</param>
    /// <param name="batch">The batch, whose failure says why it failed.</param>
    /// <param name="cancellation">Ends the scripts.</param>
    /// <returns>False if a script fails.</returns>
    public ValueTask<bool> TryPlanAsync(Database database, BatchCommand batch, CancellationToken cancellation) =>
        ScriptedBatch.TryPlanAsync(database, Scripts, HashSeed, batch, cancellation);

    /// <summary>A context whose memory and parser have these limits.</summary>
    public OperationContext RentContext()
    {
        OperationContext context = Contexts.Rent();
        if (!ReferenceEquals(context.Parser.Limits, JsonLimits))
        {
            context.Parser.Limits = JsonLimits;
        }

        context.Arena.LimitBytes = ContextSizeBytesMax;

        return context;
    }

    /// <summary>Takes a context back: nothing that lies in it may be used any more.</summary>
    internal void ReturnContext(OperationContext context) => Contexts.Return(context);
}
