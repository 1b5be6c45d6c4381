using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Commands;
using Raven.Documents.Patching;

namespace Raven.Server.Http.Commands.Types;

/// <summary>JsonPatch: changes a document by the operations of RFC 6902.</summary>
internal sealed class JsonPatchType : BatchCommandType
{
    internal override string Name => "JsonPatch";

    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        BlittableValue operations = OperationsOf(in command, index);
        BlittableWriter writer = batch.Context.Writer;
        writer.Begin(BlittableMode.ToMemory);
        writer.StartObject();
        writer.Name("operations"u8);
        writer.Value(operations);
        writer.EndObject();
        var patch = new PatchRequest
        {
            Id = command.Id,
            Script = PatchScript.OfJsonPatch(writer.Finish()),
            Check = command.HasChangeVector ? ExpectedVersion.Of(command.ChangeVector.Span).Check : VersionCheck.None,
            Expected = command.ChangeVector,
        };
        var action = new PatchAction(Name, command.Boolean("ReturnDocument"u8, index));
        return action.TryAddTo(batch, in patch);
    }

    /// <summary>The list of operations: the value itself, or its <c>{"Operations":[…]}</c>.</summary>
    private static BlittableValue OperationsOf(in ScannedCommand command, int index)
    {
        if (command.TryGet("JsonPatch"u8, out BlittableValue value))
        {
            if (value.TryGetObject(out BlittableObject holder)
                && holder.TryGet("Operations"u8, out BlittableValue inner))
            {
                value = inner;
            }

            if (value.Kind == ValueKind.Array)
            {
                return value;
            }
        }

        throw new BadRequestException(
            400, ErrorType.Argument, $"Command {index}: a JsonPatch needs JsonPatch, the list of its operations.");
    }
}
