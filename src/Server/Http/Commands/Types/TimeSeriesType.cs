using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Server.Http.TimeSeries;

namespace Raven.Server.Http.Commands.Types;

/// <summary>Changes of one time series, under the names that clients give them.</summary>
internal sealed class TimeSeriesType(string name, bool isForBulkInsert) : BatchCommandType
{
    internal override string Name => name;

    internal override bool IsForBulkInsert => isForBulkInsert;

    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index) =>
        command.TryGetObject("TimeSeries"u8, index, out BlittableObject series)
            ? TimeSeriesBody.TryAdd(batch, command.Id, series, $"Command {index}: TimeSeries.")
            : throw TimeSeriesBody.Wrong($"Command {index}: ", $"a {name} needs TimeSeries, an object.");
}
