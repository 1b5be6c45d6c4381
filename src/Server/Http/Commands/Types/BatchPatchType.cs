using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Patching;

namespace Raven.Server.Http.Commands.Types;

/// <summary>BatchPATCH: changes several documents by one script; it has one result without details.</summary>
internal sealed class BatchPatchType : BatchCommandType
{
    internal override string Name => "BatchPATCH";

    internal override bool NeedsId => false;

    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        if (!command.TryGet("Ids"u8, out BlittableValue value) || !value.TryGetArray(out BlittableArray ids)
            || ids.Count == 0)
        {
            throw Wrong(index, "a BatchPATCH needs Ids, a list that is not empty.");
        }

        PatchScript script = PatchType.ScriptOf(in command, "Patch"u8, index) ?? throw PatchType.Missing(index, Name);
        PatchScript? ifMissing = PatchType.ScriptOf(in command, "PatchIfMissing"u8, index);
        var patches = new PatchRequest[ids.Count];
        for (int i = 0; i < patches.Length; i++)
        {
            patches[i] = Parse(ids[i], batch.Context.Arena, index, i, script, ifMissing);
        }

        return PatchAction.TryAddAll(batch, Name, patches);
    }

    private static PatchRequest Parse(
        BlittableValue source, Arena arena, int index, int number, PatchScript script, PatchScript? ifMissing)
    {
        if (!source.TryGetObject(out BlittableObject one) || !one.TryGet("Id"u8, out BlittableValue id)
            || id.Kind != ValueKind.String)
        {
            throw Wrong(index, $"Ids[{number}] must be an object with an Id.");
        }

        bool isChecked = one.TryGet("ChangeVector"u8, out BlittableValue vector) && vector.Kind == ValueKind.String;
        NativeSlice expected = isChecked ? vector.GetUtf8(arena) : default;
        return new PatchRequest
        {
            Id = id.GetUtf8(arena),
            Script = script,
            IfMissing = ifMissing,
            Check = isChecked ? ExpectedVersion.Of(expected.Span).Check : VersionCheck.None,
            Expected = expected,
        };
    }

    private static BadRequestException Wrong(int index, string what) =>
        new(400, ErrorType.Argument, $"Command {index}: {what}");
}
