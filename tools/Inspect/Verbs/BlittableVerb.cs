using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Tools.Inspect.Verbs;

/// <summary>Draws a document: every byte once, with what it means. A file of JSON is made a document first.</summary>
internal sealed class BlittableVerb : IInspectVerb
{
    /// <inheritdoc/>
    public string Name => "blittable";

    /// <inheritdoc/>
    public string Usage => "FILE [--to-disk]    a document, or JSON (made a document to memory, or to disk)";

    /// <inheritdoc/>
    public int Run(string[] arguments, TextWriter output)
    {
        string[] files = [.. arguments.Where(argument => argument != "--to-disk")];
        if (files.Length != 1 || arguments.Length > 2)
        {
            output.WriteLine($"Usage: Inspect {Name} {Usage}");
            return 1;
        }

        if (!File.Exists(files[0]))
        {
            output.WriteLine($"There is no file {files[0]}.");
            return 1;
        }

        byte[] bytes = File.ReadAllBytes(files[0]);
        using OperationContext context = new();
        BlittableValue root;
        if (BlittableValidator.TryValidate(bytes, out BlittableError error))
        {
            NativeSlice memory = context.Arena.Allocate(bytes.Length);
            bytes.CopyTo(memory.WritableSpan);
            root = BlittableValue.OpenRoot(memory);
        }
        else
        {
            BlittableMode mode = arguments.Length == 2 ? BlittableMode.ToDisk : BlittableMode.ToMemory;
            if (!context.Parser.TryParseValue(bytes, mode, out root, out JsonError jsonError))
            {
                output.WriteLine($"{files[0]} is no document: {error}");
                output.WriteLine($"and no JSON: {jsonError}");
                return 2;
            }

            output.WriteLine($"{bytes.Length} bytes of JSON are a document of {root.Memory.Length} bytes:");
        }

        new DocumentDrawing(root, output).Draw();
        return 0;
    }
}
