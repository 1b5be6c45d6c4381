using Raven.Documents.Commands;
using Raven.Documents.CompareExchange;

namespace Raven.Server.Http.Commands.Types;

/// <summary>CompareExchangeDELETE: removes a compare-exchange value as a part of a batch.</summary>
internal sealed class CompareExchangeDeleteType : BatchCommandType
{
    internal override string Name => "CompareExchangeDELETE";

    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        CompareExchangeKeys.Check(command.Id.Span);
        long expected = command.Int64("Index"u8, index, 0);
        var action = new CompareExchangeAction(isPut: false, expected, default, isLenient: false, batch.Context.Arena);
        return batch.TryAddAction(command.Id.Span, action, ExpectedVersion.Any);
    }
}
