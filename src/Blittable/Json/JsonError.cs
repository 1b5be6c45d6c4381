namespace Raven.Blittable.Json;

/// <summary>Why a JSON text was refused, and at which place. All positions are those of the first wrong byte.</summary>
/// <param name="Line">1 for the first line; lines end at a line feed.</param>
/// <param name="Column">1 for the first byte of the line; counts bytes, not characters.</param>
/// <param name="Byte">0 for the first byte of the input.</param>
/// <param name="Reason">A sentence for the author of the text.</param>
public readonly record struct JsonError(int Line, int Column, long Byte, string Reason)
{
    /// <summary>The text may be valid, but it is longer than a document may be.</summary>
    public bool IsTooLong { get; init; }

    /// <inheritdoc/>
    public override string ToString() => $"line {Line}, column {Column} (byte {Byte}): {Reason}";
}
