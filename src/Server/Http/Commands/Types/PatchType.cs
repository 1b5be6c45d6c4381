using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Patching;

namespace Raven.Server.Http.Commands.Types;

/// <summary>PATCH: changes a document by a script.</summary>
internal sealed class PatchType : BatchCommandType
{
    internal override string Name => "PATCH";

    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        command.TryGetObject("CreateIfMissing"u8, index, out BlittableObject created);
        var patch = new PatchRequest
        {
            Id = command.Id,
            Script = ScriptOf(in command, "Patch"u8, index) ?? throw Missing(index, Name),
            IfMissing = ScriptOf(in command, "PatchIfMissing"u8, index),
            CreateIfMissing = created,
            Check = command.HasChangeVector ? ExpectedVersion.Of(command.ChangeVector.Span).Check : VersionCheck.None,
            Expected = command.ChangeVector,
        };
        var action = new PatchAction(Name, command.Boolean("ReturnDocument"u8, index));
        return action.TryAddTo(batch, in patch);
    }

    /// <summary>A script that a command names; null if it names none.</summary>
    /// <exception cref="BadRequestException">It is no script.</exception>
    internal static PatchScript? ScriptOf(in ScannedCommand command, ReadOnlySpan<byte> name, int index) =>
        command.TryGetObject(name, index, out BlittableObject found)
            ? PatchScript.Parse(found, $"Command {index}: {System.Text.Encoding.UTF8.GetString(name)}")
            : null;

    /// <summary>The refusal of a command without a script.</summary>
    internal static BadRequestException Missing(int index, string type) =>
        new(400, ErrorType.Argument, $"Command {index}: a {type} needs a Patch with a Script.");
}
