namespace Raven.Blittable.Format;

/// <summary>Why bytes are not a document, and at which place.</summary>
/// <param name="Position">The offending byte, from the first byte of the document.</param>
/// <param name="Reason">The error there.</param>
public readonly record struct BlittableError(int Position, string Reason)
{
    /// <inheritdoc/>
    public override string ToString() => $"byte {Position}: {Reason}";
}
