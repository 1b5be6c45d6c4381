namespace Raven.Blittable.Json;

/// <summary>How documents are written as JSON.</summary>
public sealed record JsonOutputOptions
{
    private readonly int _indentation;

    /// <summary>Compact, properties in the order of their names.</summary>
    public static JsonOutputOptions Default { get; } = new();

    /// <summary>Compact, properties in the order of the source.</summary>
    public static JsonOutputOptions Original { get; } = new() { OriginalOrder = true };

    /// <summary>Spaces per level; 0, the default, writes everything in one line.</summary>
    public int Indentation
    {
        get => _indentation;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 16);
            _indentation = value;
        }
    }

    /// <summary>
    /// True to write properties in the order of the source, which costs a sort per object; false, the default, for the
    /// order of their names.
    /// </summary>
    public bool OriginalOrder { get; init; }
}
