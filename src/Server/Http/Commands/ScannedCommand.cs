using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Http.Commands.Types;

namespace Raven.Server.Http.Commands;

/// <summary>One command of a body. Its texts and its document live in the context it was read into.</summary>
internal struct ScannedCommand
{
    /// <summary>What the command does.</summary>
    internal CommandKind Kind;

    /// <summary>The type as it was written, if it is not one of <see cref="Kind"/>'s own.</summary>
    internal string? TypeName;

    /// <summary>The type, if the kind is <see cref="CommandKind.Typed"/>.</summary>
    internal BatchCommandType? Type;

    /// <summary>The properties that only the code of the type reads.</summary>
    internal List<CommandField>? Fields;

    /// <summary>The id, UTF-8; empty if it was empty or null.</summary>
    internal NativeSlice Id;

    /// <summary>True if the command has an id that is not null.</summary>
    internal bool HasId;

    /// <summary>The change vector, UTF-8; empty means that the document must not exist.</summary>
    internal NativeSlice ChangeVector;

    /// <summary>True if the command has a change vector that is not null: it is checked.</summary>
    internal bool HasChangeVector;

    /// <summary>The document, ready to be stored.</summary>
    internal BlittableObject Document;

    /// <summary>True if there is a document.</summary>
    internal bool HasDocument;

    /// <summary>A property that only the type reads; not found if it is absent or null.</summary>
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

    /// <summary>An object that only the type reads; false if it is absent or null.</summary>
    /// <exception cref="BadRequestException">It is something else.</exception>
    internal readonly bool TryGetObject(ReadOnlySpan<byte> name, int index, out BlittableObject found)
    {
        found = default;
        return TryGet(name, out BlittableValue value)
            && (value.TryGetObject(out found) ? true : throw Wrong(name, index, "an object"));
    }

    /// <summary>A whole number that only the type reads; the default if it is absent or null.</summary>
    /// <exception cref="BadRequestException">It is something else.</exception>
    internal readonly long Int64(ReadOnlySpan<byte> name, int index, long defaultValue)
    {
        if (!TryGet(name, out BlittableValue value))
        {
            return defaultValue;
        }

        return value.TryGetInt64(out long number) ? number : throw Wrong(name, index, "a whole number");
    }

    /// <summary>True if a property that only the type reads is there and true.</summary>
    /// <exception cref="BadRequestException">It is neither true nor false.</exception>
    internal readonly bool Boolean(ReadOnlySpan<byte> name, int index)
    {
        if (!TryGet(name, out BlittableValue value))
        {
            return false;
        }

        return value.TryGetBoolean(out bool yes) ? yes : throw Wrong(name, index, "true or false");
    }

    /// <summary>The text of a property that only the type reads, UTF-8; empty if it is absent or null.</summary>
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
