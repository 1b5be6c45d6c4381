using Microsoft.Extensions.ObjectPool;
using Raven.Documents.Commands;

namespace Raven.Server.Http;

/// <summary>How write commands are made and returned to their pool.</summary>
internal sealed class BatchPolicy(ulong hashSeed) : PooledObjectPolicy<BatchCommand>
{
    /// <inheritdoc/>
    public override BatchCommand Create() => new(hashSeed);

    /// <inheritdoc/>
    public override bool Return(BatchCommand obj) => true;
}
