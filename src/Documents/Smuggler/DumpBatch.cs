using Raven.Blittable.Contexts;
using Raven.Documents.Commands;
using Raven.Documents.Queries;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Commits what an import reads, in batches: while one is committed, the next one is filled, each in a context of its
/// own. An operation that is refused is counted, and the others of its batch are committed. One thread at a time.
/// </summary>
internal sealed class DumpBatch : IAsyncDisposable
{
    private const int OperationsMax = 1_000;
    private const long SizeBytesMax = 8 * 1024 * 1024;

    private readonly Database _database;
    private readonly DumpResult _result;
    private readonly Action<BatchCommand> _committed;
    private Half _filling;
    private Half _committing;

    /// <summary>Makes an empty batch.</summary>
    /// <param name="database">The database that takes it.</param>
    /// <param name="services">Memory.</param>
    /// <param name="result">Counts what is refused.</param>
    /// <param name="committed">Called with each batch after it was committed, on the thread that fills.</param>
    internal DumpBatch(
        Database database, QueryServices services, DumpResult result, Action<BatchCommand> committed)
    {
        _database = database;
        _result = result;
        _committed = committed;
        _filling = new Half(services);
        _committing = new Half(services);
    }

    /// <summary>The memory of the batch that is filled.</summary>
    internal OperationContext Context => _filling.Context;

    /// <summary>The batch that is filled.</summary>
    internal BatchCommand Command => _filling.Command;

    /// <summary>Counts the operation that was added last as one of a kind.</summary>
    /// <param name="counts">The kind.</param>
    /// <param name="sizeBytes">Its size.</param>
    internal void Added(DumpCounts counts, long sizeBytes = 0) => _filling.Added.Add((counts, sizeBytes));

    /// <summary>Commits the batch if it is large; to be called only between items that belong together.</summary>
    internal ValueTask CommitIfFullAsync(CancellationToken cancellation)
    {
        bool isFull = _filling.Command.Count >= OperationsMax || _filling.Context.Arena.UsedBytes >= SizeBytesMax;
        return isFull ? CommitAsync(cancellation) : ValueTask.CompletedTask;
    }

    /// <summary>Commits all that was added.</summary>
    internal async ValueTask FlushAsync(CancellationToken cancellation)
    {
        await CommitAsync(cancellation).ConfigureAwait(false);
        await WaitAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        // A commit must not read memory that is given back.
        await _committing.Commit.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _filling.Return();
        _committing.Return();
    }

    /// <summary>Begins to commit what was added, after the batch before is committed.</summary>
    private async ValueTask CommitAsync(CancellationToken cancellation)
    {
        await WaitAsync().ConfigureAwait(false);
        cancellation.ThrowIfCancellationRequested();
        (_filling, _committing) = (_committing, _filling);
        _filling.Begin();
        Half half = _committing;
        if (half.Command.Count > 0)
        {
            // On another thread: a writer without concurrent ones would commit on this one, which goes on reading.
            half.Commit = Task.Run(() => SubmitAsync(half), CancellationToken.None);
        }
    }

    private async ValueTask WaitAsync()
    {
        Half half = _committing;
        if (half.Command.Count == 0)
        {
            return;
        }

        await half.Commit.ConfigureAwait(false);
        for (int i = 0; i < half.Added.Count; i++)
        {
            (DumpCounts counts, long sizeBytes) = half.Added[i];
            bool isIn = half.Command[i].Kind != DocumentOperationKind.None;
            counts.Read += isIn ? 1 : 0;
            counts.SizeBytes += isIn ? sizeBytes : 0;
        }

        _committed(half.Command);
        half.Begin();
    }

    /// <summary>Submits a batch without those of its operations that are refused.</summary>
    private async Task SubmitAsync(Half half)
    {
        while (true)
        {
            await _database.SubmitAsync(half.Command).ConfigureAwait(false);
            CommandFailure failure = half.Command.Failure;
            if (failure.IsNone)
            {
                return;
            }

            ref DocumentOperation refused = ref half.Command.Added(failure.OperationIndex);
            if (refused.Kind == DocumentOperationKind.None)
            {
                throw new CommandFailedException(failure.Kind, failure.Describe());
            }

            refused.Kind = DocumentOperationKind.None;
            refused.Action = null;
            _result.Fail(half.Added[failure.OperationIndex].Counts, failure.Describe());
        }
    }

    /// <summary>A context and a batch in it.</summary>
    private sealed class Half
    {
        private readonly QueryServices _services;

        internal Half(QueryServices services)
        {
            _services = services;
            Context = services.RentContext();
            Command = new BatchCommand(services.HashSeed);
            Begin();
        }

        internal OperationContext Context { get; }

        internal BatchCommand Command { get; }

        /// <summary>For each operation, what it is counted as.</summary>
        internal List<(DumpCounts Counts, long SizeBytes)> Added { get; } = [];

        internal Task Commit { get; set; } = Task.CompletedTask;

        internal void Begin()
        {
            Commit = Task.CompletedTask;
            Added.Clear();
            Context.Reset();
            Command.Reset(Context);
            Command.IsImport = true;
            Command.DocumentSizeBytesMax = _services.DocumentSizeBytesMax;
        }

        internal void Return() => _services.ReturnContext(Context);
    }
}
