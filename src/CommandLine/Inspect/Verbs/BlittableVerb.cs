using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Inspect.Verbs;

/// <summary>Draws a document: every byte once, with what it means. A file of JSON is made a document first.</summary>
internal static class BlittableVerb
{
    internal static int Run(string path, bool toDisk, VerbOutput output)
    {
        byte[] bytes = File.ReadAllBytes(path);
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
            BlittableMode mode = toDisk ? BlittableMode.ToDisk : BlittableMode.ToMemory;
            if (!context.Parser.TryParseValue(bytes, mode, out root, out JsonError jsonError))
            {
                output.Lines.WriteLine($"{path} is no document: {error}");
                output.Lines.WriteLine($"and no JSON: {jsonError}");
                return ExitCode.BrokenInput;
            }

            output.Lines.WriteLine($"{bytes.Length} bytes of JSON are a document of {root.Memory.Length} bytes:");
        }

        output.Set("SizeBytes", root.Memory.Length);
        new DocumentDrawing(root, output.Lines).Draw();
        return ExitCode.Success;
    }
}
