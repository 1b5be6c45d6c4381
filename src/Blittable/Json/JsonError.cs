namespace Raven.Blittable.Json;

/// <summary>Where and why a JSON text was refused. All positions point at the byte that made it wrong.</summary>
/// <param name="Line">1 for the first line; lines end at a line feed.</param>
/// <param name="Column">1 for the first byte of the line; counts bytes, not characters.</param>
/// <param name="Byte">0 for the first byte of the input.</param>
/// <param name="Reason">A sentence for the person who wrote the text.</param>
public readonly record struct JsonError(int Line, int Column, long Byte, string Reason)
{
    /// <summary>The text may be right, but it is longer than a document may be.</summary>
    public bool IsTooLong { get; init; }

    /// <inheritdoc/>
    public override string ToString() => $"line {Line}, column {Column} (byte {Byte}): {Reason}";
}
