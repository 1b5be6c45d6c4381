using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Http.Commands.Types;

namespace Raven.Server.Http.Commands;

/// <summary>
/// One command as it stood in a body. Its texts and its document live in the context it was read into.
/// </summary>
internal struct ScannedCommand
{
    /// <summary>What to do.</summary>
    internal CommandKind Kind;

    /// <summary>The type as it was written, where it is not one of <see cref="Kind"/>'s own.</summary>
    internal string? TypeName;

    /// <summary>The type, where the kind is <see cref="CommandKind.Typed"/>.</summary>
    internal BatchCommandType? Type;

    /// <summary>The properties that only the type knows.</summary>
    internal List<CommandField>? Fields;

    /// <summary>The id, UTF-8; empty where it was empty or null.</summary>
    internal NativeSlice Id;

    /// <summary>True where an id was named and is not null.</summary>
    internal bool HasId;

    /// <summary>The change vector, UTF-8; empty means that the document must not exist.</summary>
    internal NativeSlice ChangeVector;

    /// <summary>True where a change vector was named and is not null: it is to be checked.</summary>
    internal bool HasChangeVector;

    /// <summary>The document, ready to be stored.</summary>
    internal BlittableObject Document;

    /// <summary>True where there is a document.</summary>
    internal bool HasDocument;

    /// <summary>A property that only the type knows; not found where it is absent or null.</summary>
    internal readonly bool TryGet(ReadOnlySpan<byte> name, out BlittableValue value)
    {
        if (Fields is not null)
        {
            foreach (CommandField field in Fields)
            {
                if (field.Name.Span.SequenceEqual(name) && !field.Value.IsNull)
                {
                    value = field.Value;
                    return true;
                }
            }
        }

        value = default;
        return false;
    }

    /// <summary>An object that only the type knows; false where it is absent or null.</summary>
    /// <exception cref="BadRequestException">It is something else.</exception>
    internal readonly bool TryGetObject(ReadOnlySpan<byte> name, int index, out BlittableObject found)
    {
        found = default;
        return TryGet(name, out BlittableValue value)
            && (value.TryGetObject(out found) ? true : throw Wrong(name, index, "an object"));
    }

    /// <summary>A whole number that only the type knows; the default where it is absent or null.</summary>
    /// <exception cref="BadRequestException">It is something else.</exception>
    internal readonly long Int64(ReadOnlySpan<byte> name, int index, long defaultValue)
    {
        if (!TryGet(name, out BlittableValue value))
        {
            return defaultValue;
        }

        return value.TryGetInt64(out long number) ? number : throw Wrong(name, index, "a whole number");
    }

    /// <summary>True where a property that only the type knows is there and true.</summary>
    /// <exception cref="BadRequestException">It is neither true nor false.</exception>
    internal readonly bool Boolean(ReadOnlySpan<byte> name, int index)
    {
        if (!TryGet(name, out BlittableValue value))
        {
            return false;
        }

        return value.TryGetBoolean(out bool yes) ? yes : throw Wrong(name, index, "true or false");
    }

    /// <summary>The text of a property that only the type knows, UTF-8; empty where it is absent or null.</summary>
    /// <exception cref="BadRequestException">It is something else than a text.</exception>
    internal readonly NativeSlice Text(ReadOnlySpan<byte> name, Arena arena, int index)
    {
        if (!TryGet(name, out BlittableValue value))
        {
            return default;
        }

        return value.Kind == ValueKind.String
            ? value.GetUtf8(arena)
            : throw Wrong(name, index, "a text");
    }

    private static BadRequestException Wrong(ReadOnlySpan<byte> name, int index, string what) => new(
        400, ErrorType.Argument, $"Command {index}: {Encoding.UTF8.GetString(name)} must be {what}.");
}
