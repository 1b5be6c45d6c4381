namespace Raven.Blittable.Format;

/// <summary>Where and why bytes are not a document.</summary>
/// <param name="Position">The offending byte, from the first byte of the document.</param>
/// <param name="Reason">What is wrong there.</param>
public readonly record struct BlittableError(int Position, string Reason)
{
    /// <inheritdoc/>
    public override string ToString() => $"byte {Position}: {Reason}";
}
