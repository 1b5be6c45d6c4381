using Raven.Documents.Commands;

namespace Raven.Server.Http.Commands.Types;

/// <summary>
/// One <c>Type</c> of the commands of a batch, a file each: how its fields become an action of the batch. What the
/// action does is in its <see cref="BatchAction"/>; what its result looks like is in <see cref="BatchResultJson"/>.
/// </summary>
internal abstract class BatchCommandType
{
    /// <summary>The text of <c>Type</c>.</summary>
    internal abstract string Name { get; }

    /// <summary>True if a bulk insert takes it too.</summary>
    internal virtual bool IsForBulkInsert => false;

    /// <summary>True if the command must have an id.</summary>
    internal virtual bool NeedsId => true;

    /// <summary>Adds a command to a batch, by <see cref="BatchCommand.TryAddAction"/> or as a put.</summary>
    /// <param name="request">The request.</param>
    /// <param name="batch">The batch; the action keeps its memory in the batch's context.</param>
    /// <param name="command">The fields, in that context already.</param>
    /// <param name="index">The number of the command, for messages.</param>
    /// <returns>False if the command fails: then the batch's failure says why.</returns>
    /// <exception cref="BadRequestException">A field is missing or not of its kind.</exception>
    internal abstract bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index);
}
