using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Server.Http.Commands.Types;

/// <summary>Counters: adds to the counters of a document, sets or deletes them; also a <c>POST counters</c>.</summary>
internal sealed class CountersType : BatchCommandType
{
    private const int OperationsMax = 10_000;

    internal override string Name => "Counters";

    internal override bool IsForBulkInsert => true;

    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index) =>
        command.TryGetObject("Counters"u8, index, out BlittableObject counters)
            ? TryAdd(batch, command.Id, counters, index)
            : throw Wrong(index, "a Counters needs Counters, an object.");

    /// <summary>Adds the operations on the counters of one document.</summary>
    /// <param name="batch">The batch to add to.</param>
    /// <param name="id">The document.</param>
    /// <param name="counters">An object with Operations.</param>
    /// <param name="index">The number of the command, for errors.</param>
    internal static bool TryAdd(BatchCommand batch, NativeSlice id, BlittableObject counters, int index)
    {
        Arena arena = batch.Context.Arena;
        var action = new CountersAction(arena);
        BlittableArray list = default;
        if (!counters.TryGet("Operations"u8, out BlittableValue value)
            || (!value.IsNull && !value.TryGetArray(out list)))
        {
            throw Wrong(index, "Operations must be a list.");
        }

        int count = value.IsNull ? 0 : list.Count;
        if (count > OperationsMax)
        {
            throw new BadRequestException(
                413, ErrorType.Argument, $"Command {index}: more than {OperationsMax} operations on counters.");
        }

        if (!batch.TryAddAction(id.Span, action, ExpectedVersion.Any))
        {
            return false;
        }

        NativeSlice key = batch.Added(batch.Count - 1).Key;
        for (int i = 0; i < count; i++)
        {
            if (list[i].IsNull)
            {
                continue;
            }

            CounterOperation operation = Parse(list[i], arena, index, i);
            if (operation.Kind == CounterOperationKind.Get && operation.Name.IsEmpty)
            {
                action.AddMissing();
                continue;
            }

            if (operation.Kind != CounterOperationKind.None
                && !action.TryAdd(key.Span, operation, out DocumentIdError error))
            {
                throw Wrong(index, $"Operations[{i}].CounterName: {error.Describe()}");
            }
        }

        return true;
    }

    /// <summary>The id of the document that an object names.</summary>
    internal static NativeSlice IdOf(BlittableObject counters, Arena arena, int index) =>
        counters.TryGet("DocumentId"u8, out BlittableValue id) && id.Kind == ValueKind.String
            ? id.GetUtf8(arena)
            : throw Wrong(index, "DocumentId must be a text.");

    private static CounterOperation Parse(BlittableValue source, Arena arena, int index, int number)
    {
        if (!source.TryGetObject(out BlittableObject operation)
            || !operation.TryGet("Type"u8, out BlittableValue type) || !type.TryGetString(out string kindName)
            || !Enum.TryParse(kindName, ignoreCase: false, out CounterOperationKind kind)
            || !Enum.IsDefined(kind))
        {
            throw Wrong(index, $"Operations[{number}].Type must be Increment, Delete, Put, Get or None.");
        }

        bool hasName = operation.TryGet("CounterName"u8, out BlittableValue name) && name.Kind == ValueKind.String;
        bool mayLackName = kind == CounterOperationKind.None || (kind == CounterOperationKind.Get && name.IsNull);
        if (!hasName && !mayLackName)
        {
            throw Wrong(index, $"Operations[{number}].CounterName must be a text.");
        }

        long delta = 0;
        if (operation.TryGet("Delta"u8, out BlittableValue by) && !by.IsNull && !by.TryGetInt64(out delta))
        {
            throw Wrong(index, $"Operations[{number}].Delta must be a whole number of 64 bits.");
        }

        if (by.IsNull && kind is CounterOperationKind.Increment or CounterOperationKind.Put)
        {
            throw Wrong(index, $"Operations[{number}] needs a Delta.");
        }

        return new CounterOperation
        {
            Kind = kind,
            Name = hasName ? name.GetUtf8(arena) : default,
            Delta = delta,
        };
    }

    private static BadRequestException Wrong(int index, string what) =>
        new(400, ErrorType.Argument, $"Command {index}: {what}");
}
