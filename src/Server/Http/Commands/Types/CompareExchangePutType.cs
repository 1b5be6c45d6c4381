using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Commands;
using Raven.Documents.CompareExchange;
using Raven.Documents.Sweeps;

namespace Raven.Server.Http.Commands.Types;

/// <summary>CompareExchangePUT: sets a compare-exchange value as a part of a batch.</summary>
internal sealed class CompareExchangePutType : BatchCommandType
{
    internal override string Name => "CompareExchangePUT";

    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        CompareExchangeKeys.Check(command.Id.Span);
        if (!command.HasDocument)
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"Command {index}: a CompareExchangePUT needs a Document with an Object.");
        }

        long expected = command.Int64("Index"u8, index, 0);
        NativeSlice value = ToStored(batch.Context.Writer, command.Document);
        var action = new CompareExchangeAction(isPut: true, expected, value, isLenient: false, batch.Context.Arena);
        return batch.TryAddAction(command.Id.Span, action, ExpectedVersion.Any);
    }

    /// <summary>The stored form of <c>{"Object","@metadata"}</c>: these two and nothing else.</summary>
    internal static NativeSlice ToStored(BlittableWriter writer, BlittableObject source)
    {
        writer.Begin(BlittableMode.ToDisk);
        writer.StartObject();
        writer.Name("Object"u8);
        if (source.TryGet("Object"u8, out BlittableValue value))
        {
            writer.Value(value);
        }
        else
        {
            writer.Null();
        }

        if (source.TryGet("@metadata"u8, out BlittableValue metadata) && metadata.Kind == ValueKind.Object)
        {
            if (!DueTimes.TryRead(metadata.AsObject(), SweepKind.CompareExchange, out _))
            {
                throw new BadRequestException(
                    400, ErrorType.Argument, "The @expires of a compare-exchange value must be a time.");
            }

            writer.Name("@metadata"u8);
            writer.Value(metadata);
        }

        writer.EndObject();
        return writer.Finish().Memory;
    }
}
