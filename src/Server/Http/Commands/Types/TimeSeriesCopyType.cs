using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;
using Raven.Server.Http.TimeSeries;

namespace Raven.Server.Http.Commands.Types;

/// <summary><c>TimeSeriesCopy</c>: a range of a series is copied to a series of another document, or name.</summary>
internal sealed class TimeSeriesCopyType : BatchCommandType
{
    internal override string Name => "TimeSeriesCopy";

    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        string place = $"Command {index}: ";
        Arena arena = batch.Context.Arena;
        NativeSlice name = command.Text("Name"u8, arena, index);
        NativeSlice targetId = command.Text("DestinationId"u8, arena, index);
        NativeSlice targetName = command.Text("DestinationName"u8, arena, index);
        targetName = targetName.IsEmpty ? name : targetName;
        TimeSeriesBody.CheckName(targetName, place, "DestinationName");
        if (TimeSeriesBody.IsIncremental(name.Span) != TimeSeriesBody.IsIncremental(targetName.Span))
        {
            throw TimeSeriesBody.Wrong(
                place, "Name and DestinationName must both be incremental, with INC: before them, or neither.");
        }

        command.TryGet("From"u8, out BlittableValue from);
        command.TryGet("To"u8, out BlittableValue to);
        NativeSlice target = FoldedId(arena, targetId, place);
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(command.Id.Span, folded, out int length, out DocumentIdError error))
        {
            throw TimeSeriesBody.Wrong(place, $"Id: {error.Describe()}");
        }

        Span<byte> source = stackalloc byte[SeriesKey.SizeBytesMax];
        if (!SeriesKey.TryWrite(source, folded[..length], name.Span, out int sourceLength, out error))
        {
            throw TimeSeriesBody.Wrong(place, $"Name: {error.Describe()}");
        }

        NativeSlice sourceKey = arena.Allocate(sourceLength);
        source[..sourceLength].CopyTo(sourceKey.WritableSpan);
        long first = TimeSeriesBody.TimeOf(from, 0, place, "From");
        long last = TimeSeriesBody.TimeOf(to, SeriesTime.Max, place, "To");
        if (first > last)
        {
            throw TimeSeriesBody.Wrong(place, "From: the range ends before it begins.");
        }

        var action = new TimeSeriesCopyAction(arena)
        {
            SourceKey = sourceKey,
            TargetId = targetId,
            TargetDocumentKey = target,
            From = first,
            To = last,
        };
        return action.TrySetName(target.Span, targetName, out error)
            ? batch.TryAddAction(command.Id.Span, action, ExpectedVersion.Any)
            : throw TimeSeriesBody.Wrong(place, $"DestinationName: {error.Describe()}");
    }

    private static NativeSlice FoldedId(Arena arena, NativeSlice id, string place)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(id.Span, folded, out int length, out DocumentIdError error))
        {
            throw TimeSeriesBody.Wrong(place, $"DestinationId: {error.Describe()}");
        }

        NativeSlice key = arena.Allocate(length);
        folded[..length].CopyTo(key.WritableSpan);
        return key;
    }
}
