using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Documents.Schemas;

/// <summary>What schemas ask of a value by itself.</summary>
internal static class SchemaLeaves
{
    /// <summary>Whether a value is of one of the types.</summary>
    internal static bool HasType(SchemaTypes types, in SchemaInstance value) => value.Kind switch
    {
        ValueKind.String => (types & SchemaTypes.String) != 0,
        ValueKind.Integer => (types & (SchemaTypes.Integer | SchemaTypes.Number)) != 0,
        ValueKind.Number => (types & SchemaTypes.Number) != 0
            || ((types & SchemaTypes.Integer) != 0 && SchemaNumber.IsWhole(value.Value)),
        ValueKind.Array => (types & SchemaTypes.Array) != 0,
        ValueKind.Object => (types & SchemaTypes.Object) != 0,
        _ => (types & (value.Value.TryGetBoolean(out _) ? SchemaTypes.Boolean : SchemaTypes.Null)) != 0,
    };

    /// <summary>The keyword that a number breaks; null for none.</summary>
    internal static string? BrokenBy(SchemaNode node, BlittableValue value)
    {
        if (node.Minimum is not null && node.Minimum.Compare(value) < 0)
        {
            return "minimum";
        }

        if (node.Maximum is not null && node.Maximum.Compare(value) > 0)
        {
            return "maximum";
        }

        if (node.ExclusiveMinimum is not null && node.ExclusiveMinimum.Compare(value) <= 0)
        {
            return "exclusiveMinimum";
        }

        if (node.ExclusiveMaximum is not null && node.ExclusiveMaximum.Compare(value) >= 0)
        {
            return "exclusiveMaximum";
        }

        return node.MultipleOf is null || node.MultipleOf.IsMultiple(value) ? null : "multipleOf";
    }

    /// <summary>The keyword that the length of a text breaks; null for none. It is that in code points.</summary>
    internal static string? BrokenBy(SchemaNode node, ReadOnlySpan<byte> utf8)
    {
        if (node.MinLength == 0 && node.MaxLength == int.MaxValue)
        {
            return null;
        }

        int length = 0;
        foreach (byte one in utf8)
        {
            length += (one & 0xC0) != 0x80 ? 1 : 0;
        }

        return length < node.MinLength ? "minLength" : length > node.MaxLength ? "maxLength" : null;
    }
}
