namespace Raven.Blittable.Format;

/// <summary>
/// Bytes that came from outside are not a document; the exception form of <see cref="BlittableError"/>.
/// </summary>
public sealed class InvalidBlittableException : Exception
{
    /// <summary>Reports bytes that are not a document.</summary>
    public InvalidBlittableException(BlittableError error)
        : base(error.ToString()) => Error = error;

    /// <summary>The error and its place.</summary>
    public BlittableError Error { get; }
}
