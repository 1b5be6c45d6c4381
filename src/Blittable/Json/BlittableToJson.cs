using System.Buffers;
using Raven.Blittable.Reading;

namespace Raven.Blittable.Json;

/// <summary>Writes documents as JSON, directly into the buffers of the receiver.</summary>
public static class BlittableToJson
{
    /// <summary>Writes an object, compact and in the order of the names.</summary>
    public static void Write(BlittableObject document, IBufferWriter<byte> target) =>
        Write(document.AsValue(), target, JsonOutputOptions.Default);

    /// <summary>Writes an object.</summary>
    /// <param name="document">The object.</param>
    /// <param name="target">Takes the bytes; advanced when the call returns.</param>
    /// <param name="options">Order and indentation.</param>
    public static void Write(BlittableObject document, IBufferWriter<byte> target, JsonOutputOptions options) =>
        Write(document.AsValue(), target, options);

    /// <summary>Writes a value.</summary>
    public static void Write(BlittableValue value, IBufferWriter<byte> target, JsonOutputOptions options)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(options);
        if (options.Indentation == 0)
        {
            DocumentOutput compact = new(target, default, value.Document, options.OriginalOrder);
            target.Advance(compact.Root(0, value.Position, value.Token));
            return;
        }

        JsonOutput output = new(target, options);
        output.Value(value);
        output.Flush();
    }
}
