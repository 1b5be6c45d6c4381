using Raven.Documents.Commands;
using Raven.Documents.Revisions;

namespace Raven.Server.Http.Commands.Types;

/// <summary><c>ForceRevisionCreation</c>.</summary>
internal sealed class ForceRevisionType : BatchCommandType
{
    /// <inheritdoc/>
    internal override string Name => "ForceRevisionCreation";

    /// <inheritdoc/>
    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index) =>
        batch.TryAddAction(command.Id.Span, new ForceRevisionAction(batch.Context.Arena), ExpectedVersion.Any);
}
