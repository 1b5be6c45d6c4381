using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Documents.Patching;

/// <summary>A script and its <c>args</c>: <c>{"Script","Values"}</c>.</summary>
/// <param name="Text">The JavaScript.</param>
/// <param name="Values">Its arguments, an object, or nothing.</param>
public sealed record PatchScript(string Text, BlittableValue Values)
{
    /// <summary>A JSON Patch (RFC 6902).</summary>
    /// <param name="arguments">An object with the list <c>operations</c>.</param>
    public static PatchScript OfJsonPatch(BlittableValue arguments) => new(JsonPatchScript.Text, arguments);

    /// <summary>Reads a script of a body.</summary>
    /// <param name="source">The object that has it.</param>
    /// <param name="where">The name of the object, for the error.</param>
    /// <exception cref="RefusedException">It is no script.</exception>
    public static PatchScript Parse(BlittableObject source, string where)
    {
        if (!source.TryGet("Script"u8, out BlittableValue script) || !script.TryGetString(out string text))
        {
            throw new RefusedException(RefusalReason.Argument, $"{where} needs a Script, a text.");
        }

        bool hasValues = source.TryGet("Values"u8, out BlittableValue values) && !values.IsNull;
        if (hasValues && values.Kind != ValueKind.Object)
        {
            throw new RefusedException(RefusalReason.Argument, $"{where}: Values must be an object.");
        }

        return new PatchScript(text, hasValues ? values : default);
    }
}
